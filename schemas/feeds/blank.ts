/** Whether a text is missing: null, or nothing but space. */
export function blank(text: string | null): boolean {
  if (text === null) return true
  // Most texts begin with a sign of ASCII, which is all that has to be known.
  const first = text.charCodeAt(0)
  return !(first > 32 && first < 127) && text.trim() === ''
}
