/** Writes the lines of a feed in a form: comma or tab separated, an XML document, or a JSON text a line. */
import type { FeedForm, FeedProfile } from '../../../schemas/feeds/profile.ts'
import { tableForm } from './table-form.ts'
import { xmlForm } from './xml-form.ts'

export interface WrittenForm {
  readonly contentType: string
  /** Of a file's name, without the dot. */
  readonly extension: string
  /** What comes before the first row. */
  head(about: { readonly title: string; readonly link: string }): string
  row(line: Readonly<Record<string, unknown>>): string
  tail(): string
}

const ndjson: WrittenForm = {
  contentType: 'application/x-ndjson; charset=utf-8',
  extension: 'jsonl',
  head: () => '',
  row: (line) => `${JSON.stringify(line)}\n`,
  tail: () => '',
}

/** Made once for a feed that is read or written; the rows of one product are always the same. */
export function feedForm(profile: FeedProfile, form: FeedForm): WrittenForm {
  if (form === 'ndjson') return ndjson
  return form === 'xml' ? xmlForm(profile.xml) : tableForm(profile, form)
}
