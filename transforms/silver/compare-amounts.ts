/** Compares two plain decimal texts as decimals: below zero where the first is smaller. Never through floats. */
export function compareAmounts(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.')
  const [wholeB = '', fractionB = ''] = b.split('.')
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1
  const digits = Math.max(fractionA.length, fractionB.length)
  const restA = fractionA.padEnd(digits, '0')
  const restB = fractionB.padEnd(digits, '0')
  if (restA === restB) return 0
  return restA < restB ? -1 : 1
}
