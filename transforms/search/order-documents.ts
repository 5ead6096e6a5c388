/** Puts documents of a segment in their order, in place. */
import { mostDocuments } from './segment-columns.ts'

/** From here on a walk over all places is quicker than sorting. */
const manyFrom = 4_096
const flags = new Uint8Array(mostDocuments)

/** @param documents each once */
export function orderDocuments(documents: Uint16Array): void {
  if (isOrdered(documents)) return
  if (documents.length < manyFrom) {
    documents.sort()
    return
  }
  for (let i = 0; i < documents.length; i++) flags[documents[i] as number] = 1
  for (let document = 0, at = 0; at < documents.length; document++)
    if (flags[document] === 1) {
      documents[at++] = document
      flags[document] = 0
    }
}

function isOrdered(documents: Uint16Array): boolean {
  for (let i = 1; i < documents.length; i++) if ((documents[i] as number) < (documents[i - 1] as number)) return false
  return true
}
