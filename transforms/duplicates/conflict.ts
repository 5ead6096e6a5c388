/** What two products say that one thing cannot be: another model, size, color, pack, material, or one used and one new. */
import type { Traits } from './traits.ts'

export function conflict(a: Traits, b: Traits): boolean {
  return (
    contradict(a.codes, b.codes) ||
    contradict(a.measures, b.measures) ||
    contradict(a.colors, b.colors) ||
    a.marks.length !== b.marks.length ||
    a.marks.some((mark, i) => mark !== b.marks[i]) ||
    Object.entries(a.said).some(([name, value]) => (b.said[name] ?? value) !== value)
  )
}

/** Who says nothing contradicts nobody. */
function contradict(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 0 || b.length === 0) return false
  if (a.length === b.length && a.every((one, i) => one === b[i])) return false
  return a.join('') !== b.join('')
}
