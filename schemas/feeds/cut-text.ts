/** Cuts a text to a platform's limit: counted in code points, cut where a reader sees one character end. */

/** Grapheme boundaries are the same in every language that the platforms serve. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Below the first combining mark only CR LF holds together, so most cuts need no segmenter. */
const firstMark = 0x300
const standsAlone = (unit: number) => unit < firstMark && unit !== 13 && unit !== 10

/** Code unit at which the given code point begins; the text's length where it has no more than that. */
function unitOf(text: string, codePoint: number): number {
  let unit = 0
  for (let n = 0; n < codePoint && unit < text.length; n++) unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
  return unit
}

/**
 * The longest beginning of `text` that has at most `codePoints` code points and ends between graphemes. A single grapheme
 * that is longer than the limit is cut inside, since nothing would be left of it.
 */
export function cutText(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text
  const end = unitOf(text, codePoints)
  if (end >= text.length || end === 0) return text.slice(0, end)
  if (standsAlone(text.charCodeAt(end - 1)) && standsAlone(text.charCodeAt(end))) return text.slice(0, end)
  // Whether a boundary stands at `end` depends on what is before it and on the one code point after it.
  const around = text.slice(0, end + 2)
  const boundary = graphemes.segment(around).containing(end)?.index ?? end
  return text.slice(0, boundary || end)
}
