/** Takes the JSON text of an object apart: a cell for each of its members, however deep, named by the keys on the way to it. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { readJsonLine } from './json-line.ts'

/** Names are put together, and a long one would stand in each of them. */
const longestName = 1_000

/** What cannot be taken apart, an empty object too, stays one cell. */
export function takeApart(name: string, json: string): [name: string, value: CellValue, pointed: boolean][] {
  const record = readJsonLine(json)
  if (typeof record === 'string' || record.keys.length === 0) return [[name, json, false]]
  const names = record.keys.map((key) => `${name}.${key}`)
  if (names.some(({ length }) => length > longestName)) return [[name, json, false]]
  return record.values.flatMap((value, i) => {
    const own = names[i] ?? ''
    return record.objects[i] && typeof value === 'string'
      ? takeApart(own, value)
      : [[own, value, record.pointed.includes(i)]]
  })
}
