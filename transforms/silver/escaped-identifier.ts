/** Says of an identifier that it has an entity such as `&amp;`: it is kept, since identity took it as it is written (KF-11). */
import { quote } from './quote.ts'
import type { Finding } from './reading.ts'
import { withoutEntities } from './text.ts'

/** Read in silver alone, two products could show one SKU; read before, the next file would make products anew. */
export function escapedIdentifier(raw: string): readonly Finding[] {
  if (!raw.includes('&')) return []
  const meant = withoutEntities(raw)
  if (meant === raw) return []
  const says = `${quote(raw)} is kept as it is written, since products are told apart by it; it seems to mean ${quote(meant)}, so export it without entities`
  return [{ code: 'escaped_identifier', says }]
}
