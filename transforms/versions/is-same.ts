/** Whether two values of a product are the same: a list in its order, the names of a record in any. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameList(a, b)
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => sameAt(name, a, b))
}

const sameAt = (name: string, a: object, b: object) =>
  Object.hasOwn(b, name) && isSame((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name])

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false
  return true
}
