/** What a page said, cut to what people read in a job's answer; the whole of it is on the log. */
import type { PageNote } from '../../ingest/page/claims.ts'
import type { FetchedPage } from '../../ingest/page/fetch-page.ts'
import type { StoredReading } from '../catalog/url-import-items.ts'

const mostCharacters = 2_000
const mostImages = 20
const mostNotes = 50

export function storedReading(page: FetchedPage, notes: readonly PageNote[]): StoredReading {
  const fields = Object.entries(page.fields).map(([name, { value, source }]) => [
    name,
    { value: typeof value === 'string' ? shown(value) : value.slice(0, mostImages).map(shown), source },
  ])
  return {
    url: page.url,
    encoding: page.encoding,
    fields: Object.fromEntries(fields),
    conflicts: page.conflicts.map((one) => ({ ...one, kept: shown(one.kept), other: shown(one.other) })),
    notes: [...page.notes, ...notes].slice(0, mostNotes).map(({ code, says }) => ({ code, says: shown(says) })),
  }
}

/** jsonb takes neither U+0000 nor half characters. */
const shown = (text: string) => text.slice(0, mostCharacters).replaceAll('\u0000', '\u2400').toWellFormed()
