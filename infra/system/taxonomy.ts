/** Google's product taxonomy from the files that the operator names; read once, when somebody first asks. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { suggester } from '../../transforms/silver/suggest-category.ts'
import { type KnownCategories, readTaxonomy } from '../../transforms/silver/taxonomy.ts'
import { StartError } from '../start-error.ts'

/**
 * `whole` is null, and `known` undefined, where no file is named.
 * @param files paths of `taxonomy-with-ids` files, one a language, the language of answers first
 * @throws StartError where a file cannot be read or is no taxonomy
 */
export async function openTaxonomy(files: readonly string[]) {
  const texts: string[] = []
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
      throw new StartError(`The taxonomy file ${file} cannot be read (${cause.code}).`, { cause })
    })
    check(file, text)
    texts.push(text)
  }
  let opened: ReturnType<typeof open> | null = null
  const opening = () => {
    opened ??= open(texts)
    return opened
  }
  const known: KnownCategories | undefined =
    texts.length === 0 ? undefined : { key: keyOf(texts), find: (text) => opening().find(text) }
  return { whole: () => (texts.length === 0 ? null : opening()), known }
}

const keyOf = (texts: readonly string[]) => hash('sha256', texts.join('\0'), 'hex').slice(0, 16)

function check(file: string, text: string) {
  try {
    readTaxonomy([text])
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new StartError(`The taxonomy file ${file} is not understood: ${cause.message}.`, { cause })
  }
}

/** A tenth of a second for two languages. */
function open(texts: readonly string[]) {
  const taxonomy = readTaxonomy(texts)
  return { ...taxonomy, suggest: suggester(taxonomy) }
}
