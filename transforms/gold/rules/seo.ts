/** SEO: will the product's page be found, and does its entry make one want to open it? */
import { codePoints } from '../../../schemas/feeds/code-points.ts'
import { googleAnswer } from '../../../schemas/feeds/platform-pages.ts'
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'
import { saysSomething } from '../says-something.ts'

const shortest = 30
/** What search results show of a title, and platforms of theirs. */
const shown = 70
/** What search results show of a description. */
const snippet = 160
/** From here on the beginning of a description can stand for a written one. */
const usable = 50

const lengthOf = (text: string | null) => (saysSomething(text) ? codePoints(text.trim()) : 0)

export const seoRules: readonly RuleOfDimension[] = [
  {
    id: 'link',
    field: 'link',
    points: 30,
    why: 'Without a page of its own a product can be neither indexed nor opened',
    sources: [googleAnswer(6324416)],
    presence: true,
    check: ({ link }) => percent.filled(link),
  },
  {
    id: 'title.shown',
    field: 'title',
    points: 20,
    why: 'Search results show titles of 30 to 70 characters whole',
    sources: [googleAnswer(6324415)],
    check({ title }) {
      const length = lengthOf(title)
      return length > shown ? 60 : percent.of(length, shortest)
    },
  },
  {
    id: 'seo_title',
    field: 'seo_title',
    points: 15,
    why: 'A page needs a title that search results can show; a product title of up to 70 characters will do',
    sources: ['https://developers.google.com/search/docs/appearance/title-link'],
    presence: true,
    check({ seoTitle, title }) {
      if (lengthOf(seoTitle) > 0) return 100
      const length = lengthOf(title)
      return length === 0 ? 0 : length <= shown ? 100 : 50
    },
  },
  {
    id: 'seo_description',
    field: 'seo_description',
    points: 15,
    why: 'A page needs a line for search results; a description of at least 50 characters will do',
    sources: ['https://developers.google.com/search/docs/appearance/snippet'],
    presence: true,
    check: ({ seoDescription, description }) =>
      Math.max(percent.of(lengthOf(seoDescription), usable), percent.of(lengthOf(description), usable)),
  },
  {
    id: 'description.snippet',
    field: 'description',
    points: 20,
    why: 'From 160 characters on a description fills its place in search results',
    sources: [
      'https://developers.google.com/search/docs/appearance/snippet',
      'Assay: no length is named there; about 160 characters are seen',
    ],
    check: ({ description }) => percent.of(lengthOf(description), snippet),
  },
]
