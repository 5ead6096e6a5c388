/** Google's product taxonomy as its files give it: ids and paths in one or several languages, looked up either way. */
import { foldText } from './fold-text.ts'

export interface TaxonomyEntry {
  readonly id: string
  /** Names from the root down, in the language of the first file that has the id. */
  readonly path: readonly string[]
}

/** What silver asks of a taxonomy. */
export interface KnownCategories {
  /** Tells these files from others: products are refined anew where it changes. */
  readonly key: string
  find(idOrPath: string): TaxonomyEntry | null
}

export interface Taxonomy {
  /** One a file, as its first line says it; in order of the files. */
  readonly versions: readonly string[]
  /** Every id once, in order of the first file. */
  readonly entries: readonly TaxonomyEntry[]
  /** The paths of an id in all languages that have it. */
  pathsOf(id: string): readonly (readonly string[])[]
  /** By an id or by a full path in any of the languages; case, accents and the space around `>` make no difference. */
  find(idOrPath: string): TaxonomyEntry | null
}

const line = /^(\d{1,6}) - (\S.*)$/
const version = /^#\s*Google_Product_Taxonomy_Version:\s*(\S+)/

/**
 * @param files text of each file: a version line, then `<id> - <A > B > C>` a line (feeds.md 1.5)
 * @throws RangeError with a sentence that names the line which is none of these
 */
export function readTaxonomy(files: readonly string[]): Taxonomy {
  const versions: string[] = []
  const paths = new Map<string, (readonly string[])[]>()
  const ids = new Map<string, string>()
  for (const text of files) {
    const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
    versions.push(version.exec(lines[0] ?? '')?.[1] ?? 'unknown')
    for (const [at, row] of lines.entries()) {
      if (row.trim() === '' || row.startsWith('#')) continue
      const [, id, words] = line.exec(row.trim()) ?? []
      if (id === undefined || words === undefined)
        throw new RangeError(`line ${at + 1} is no line of a taxonomy with ids, as in 166 - Apparel & Accessories`)
      const path = words.split(' > ').map((name) => name.trim())
      const known = paths.get(id)
      if (known) known.push(path)
      else paths.set(id, [path])
      ids.set(folded(path), id)
    }
  }
  const entries = [...paths].map(([id, [path = []]]) => ({ id, path }))
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return {
    versions,
    entries,
    pathsOf: (id) => paths.get(id) ?? [],
    find: (idOrPath) => byId.get(idOrPath.trim()) ?? byId.get(ids.get(folded(idOrPath.split('>'))) ?? '') ?? null,
  }
}

const folded = (path: readonly string[]) => path.map(foldText).join('>')
