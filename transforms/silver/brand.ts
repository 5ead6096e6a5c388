/** Reads a brand: the name alone, without what shops write around it; words that stand for no brand are none. */
import { brandLabels, missingWords, noBrandWords } from './maker-words.ts'
import { readTitle } from './text.ts'
import { wordSet } from './words.ts'

/** Makers are never called so; platforms refuse these words as brands. */
const isNoBrand = wordSet(missingWords, noBrandWords)

const isLabel = wordSet(brandLabels)

/** The signs of a registered or claimed mark, which are no part of the name. */
const marks = /(?:\s*(?:[®™℠©]|\((?:r|tm)\)))+$/i

/** A colon or a last sign that no name needs; most names are letters and pass at once. */
const decorated = /[:：®™℠©)]/

export function readBrand(raw: string): string | null {
  const text = readTitle(raw)
  if (text === null) return null
  const name = decorated.test(text) ? undecorated(text) : text
  return name === '' || isNoBrand(name) ? null : name
}

/** "Brand: Lumo®" is Lumo; a name that has a colon of its own keeps it. */
function undecorated(text: string): string {
  let name = text.replace(marks, '')
  for (;;) {
    const at = name.search(/[:：]/)
    if (at < 0 || !isLabel(name.slice(0, at))) return name
    name = name.slice(at + 1).trim()
  }
}
