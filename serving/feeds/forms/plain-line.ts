/** Cuts the attributes out of a stored line that is plain: JSON escapes nothing in it, so its texts stand in it as they are. */

const quote = 34
const comma = 44
const opening = 91
const closing = 93
const end = 125
const primitive = /^(?:true|false|-?\d+(?:\.\d+)?)$/

/**
 * Half the time of a row went into parsing lines and looking through their texts; in a plain one no text has a quote, a tab or a line break.
 * @param json an object without spaces between its parts, as it is stored
 * @param take told of each attribute in its order, as long as none is an object or has one
 * @returns false where the line is to be parsed: forget what was taken
 */
export function takePlain(json: string, take: (name: string, value: string | readonly string[]) => void): boolean {
  if (json.includes('\\')) return false
  let at = 1
  while (json.charCodeAt(at) === quote) {
    const nameEnds = json.indexOf('"', at + 1)
    const name = json.slice(at + 1, nameEnds)
    at = nameEnds + 2
    const first = json.charCodeAt(at)
    if (first === quote) {
      const ends = json.indexOf('"', at + 1)
      take(name, json.slice(at + 1, ends))
      at = ends + 1
    } else if (first === opening) {
      const values: string[] = []
      while (json.charCodeAt(at) !== closing) {
        if (json.charCodeAt(at + 1) !== quote) return false
        const ends = json.indexOf('"', at + 2)
        values.push(json.slice(at + 2, ends))
        at = ends + 1
      }
      take(name, values)
      at++
    } else {
      // A number, true or false.
      const ends = json.indexOf(',', at)
      const value = json.slice(at, ends < 0 ? json.length - 1 : ends)
      if (!primitive.test(value)) return false
      take(name, value)
      at += value.length
    }
    if (json.charCodeAt(at) === comma) at++
  }
  return json.charCodeAt(at) === end
}
