/** Which file source a file belongs to: named by the caller, else the one whose header is nearest, else a new one (DESIGN 5.2). */
import { hash } from 'node:crypto'
import type { FileSource } from '../infra/catalog/import-sources.ts'
import { hasOptionsOnly } from './option-files.ts'
import { TableError } from './table-error.ts'

export interface ChosenSource {
  readonly source: string
  readonly reason: string
}

const sourceName = /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,79}$/u

/**
 * @throws TableError `source_name` for a name that cannot be one, `source_tie` where two sources are equally near: the
 * caller must say which
 */
export function chooseSource(
  header: readonly string[],
  named: string | undefined,
  known: readonly FileSource[],
): ChosenSource {
  if (named !== undefined) {
    if (!sourceName.test(named))
      throw new TableError(
        'source_name',
        'A source is named by 1 to 80 letters, digits, spaces, dots, dashes or underscores.',
      )
    // Both files of a shop may come under one name, and each says other things of the same product.
    const name = hasOptionsOnly(header) ? `${named} (options)` : named
    return { source: `file:${name}`, reason: `source ${name}: named by the caller` }
  }
  const ranked = known
    .map(({ source, header: theirs }) => ({ source, share: shareOf(header, theirs) }))
    .filter(({ share }) => share >= 0.5)
    .sort((a, b) => b.share - a.share)
  const [best, next] = ranked
  if (best && next && best.share === next.share) {
    const names = [best, next].map(({ source }) => source.replace(/^file:/, '')).join(' and ')
    throw new TableError('source_tie', `The header fits the sources ${names} equally well; say which one with source=.`)
  }
  if (best) {
    const percent = Math.floor(best.share * 100)
    return {
      source: best.source,
      reason: `source ${best.source.slice(5)}: its header shares ${percent} % with this file's`,
    }
  }
  const name = hash('sha256', [...header].sort().join('\u001f'), 'hex').slice(0, 12)
  return { source: `file:${name}`, reason: `source ${name}: new, named by its header` }
}

/** Columns that both have, of all that either has. */
function shareOf(a: readonly string[], b: readonly string[]): number {
  const left = new Set(a)
  const both = [...new Set(b)].filter((column) => left.has(column)).length
  const union = left.size + new Set(b).size - both
  return union === 0 ? 0 : both / union
}
