/** Shows a raw value inside a sentence: in quotes, on one line, and cut where it is long. */
export function quote(raw: string): string {
  const line = raw
    .slice(0, 200)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const points = Array.from(line)
  return points.length > 60 || raw.length > 200 ? `"${points.slice(0, 60).join('')}…"` : `"${line}"`
}
