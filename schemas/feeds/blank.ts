/** Whether a text is missing: null, or nothing that a reader would see (KF-18). */

/**
 * What shows something: no space, no sign that Unicode calls ignorable (fillers, tags, selectors), no mark without a letter, no
 * empty braille cell, and not only the character that stands where another was lost.
 */
const shown =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{M}\u2800\ufff9-\ufffb\ufffd]/u

export function blank(text: string | null): boolean {
  if (text === null) return true
  // Most texts begin with a sign of ASCII, which is all that has to be known.
  const first = text.charCodeAt(0)
  return !(first > 32 && first < 127) && !shown.test(text)
}
