/** Writes the lines of a feed in a form: comma or tab separated, an XML document, or a JSON text a line. */
import type { FeedForm, FeedProfile, FeedSettings } from '../../../schemas/feeds/profile.ts'
import { tableForm } from './table-form.ts'
import { xmlForm } from './xml-form.ts'

/** Whose feed it is, and what else its head says where the platform asks for it. */
export interface AboutFeed {
  readonly title: string
  readonly link: string
  /** Of when it is, ISO 8601: of the version that is written, so that the same data gives the same bytes. */
  readonly at?: string
  /** Paths of all categories that its products have, for platforms that list them before their products. */
  readonly categories?: Iterable<readonly string[]>
}

export interface WrittenForm {
  readonly contentType: string
  /** Of a file's name, without the dot. */
  readonly extension: string
  /** What comes before the first row. */
  head(about: AboutFeed): string
  row(line: Readonly<Record<string, unknown>>): string
  /** The same of a page of lines as they are stored, a line feed after each, in less time; each part is good until the next. */
  rows(page: Buffer): Iterable<Buffer>
  tail(): string
}

const ndjson: WrittenForm = {
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'jsonl',
  head: () => '',
  row: (line) => `${JSON.stringify(line)}\n`,
  rows: (page) => [page],
  tail: () => '',
}

/** Made once for a feed that is read or written; the rows of one product are always the same. */
export function feedForm(profile: FeedProfile, form: FeedForm, settings: FeedSettings = {}): WrittenForm {
  if (form === 'ndjson') return ndjson
  return form === 'xml' ? xmlForm(profile.xml) : tableForm(profile, form, settings)
}
