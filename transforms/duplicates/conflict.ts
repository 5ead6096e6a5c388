/** What two products say that one thing cannot be: another model, size, color, pack, material, or one used and one new. */
import type { Traits } from './traits.ts'

export function conflict(a: Traits, b: Traits): boolean {
  return (
    contradict(a.codes, b.codes) ||
    contradict(a.measures, b.measures) ||
    contradict(a.colors, b.colors) ||
    a.marks.join() !== b.marks.join() ||
    Object.entries(a.said).some(([name, value]) => (b.said[name] ?? value) !== value)
  )
}

/** Who says nothing contradicts nobody. */
function contradict(a: readonly string[], b: readonly string[]): boolean {
  if (a.length === 0 || b.length === 0) return false
  return a.join('') !== b.join('')
}
