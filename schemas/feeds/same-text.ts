/** Whether two texts say the same, whatever their case. */
export const sameText = (a: string, b: string): boolean =>
  a.length === b.length && (a === b || a.toLowerCase() === b.toLowerCase())
