/** What events say in their metadata of searches and recommendations, and of what was opened after them: by it the two are joined. */

/** By which way a search came. */
export type SearchChannel = 'search' | 'anonymous_search' | 'tools'

export const searchKeys = {
  channel: 'channel',
  /** Of a page after the first: it is the same search. */
  page: 'page',
  /** The search that a later page, or an opened product, belongs to: the id of the event of its first page. */
  search: 'search_id',
  /** Products on the pages before. */
  offset: 'offset',
  /** Of an opened product in what was found or recommended; 1 is the first. */
  position: 'position',
  /** The list that was shown, and by which method it was made. */
  recommendation: 'recommendation_id',
  /** Of its products in all that was shown together, where other lists stood between; else they are counted. */
  positions: 'positions',
  method: 'method',
} as const
export const laterPage = 'later'

/** The first so many are told one by one. */
export const lastPosition = 100
/** An opened product without the id of its search is of the last one of its session that found it, not longer ago. */
export const openedWithinMinutes = 30
/** What a session asks next is another try at the same, when it comes so soon. */
export const refinedWithinMinutes = 10
/** What is put into a cart or ordered counts for a recommendation that was opened not longer ago. */
export const boughtWithinHours = 24
