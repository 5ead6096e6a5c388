/** Whether a text has a word, in any case; a part of a longer word is none, so that size M is not found in every title. */
const letter = /[\p{L}\p{N}]/u
const beyondLatin = /[^\0-\u024f]/

/** @param text in lower case */
export function namesWord(text: string, word: string): boolean {
  const sought = word.trim().toLowerCase()
  if (sought === '') return false
  // Scripts that write without spaces have no ends of words to look at.
  const free = beyondLatin.test(sought)
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    if (free) return true
    const before = text[at - 1]
    const after = text[at + sought.length]
    if ((before === undefined || !letter.test(before)) && (after === undefined || !letter.test(after))) return true
  }
  return false
}
