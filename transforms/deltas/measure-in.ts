/** Weights and lengths in the unit that a target takes, as exact decimal text. */

/** In billionths of a gram. */
const weights: Readonly<Record<string, bigint>> = {
  mg: 1_000_000n,
  g: 1_000_000_000n,
  kg: 1_000_000_000_000n,
  t: 1_000_000_000_000_000n,
  oz: 28_349_523_125n,
  lb: 453_592_370_000n,
}
/** In tenths of a millimetre. */
const lengths: Readonly<Record<string, bigint>> = { mm: 10n, cm: 100n, m: 10_000n, in: 254n, ft: 3_048n }

const form = /^(\d{1,9})(?:\.(\d{1,9}))?\s*([a-z]+)$/i

function measureIn(text: string | null, units: Readonly<Record<string, bigint>>, to: bigint): string | null {
  const [, whole = '', part = '', unit = ''] = form.exec(text ?? '') ?? []
  const of = units[unit.toLowerCase()]
  if (of === undefined) return null
  // Twelve digits behind the point hold every pair of these units.
  const scale = 10n ** 12n
  const scaled = (BigInt(whole + part) * of * scale) / (to * 10n ** BigInt(part.length))
  const digits = (scaled % scale).toString().padStart(12, '0').replace(/0+$/, '')
  return digits === '' ? `${scaled / scale}` : `${scaled / scale}.${digits}`
}

/** @returns null where it is no weight of a known unit */
export const weightIn = (text: string | null, unit: 'g' | 'kg') => measureIn(text, weights, weights[unit] ?? 1n)

/** @returns null where it is no length of a known unit */
export const centimetres = (text: string | null) => measureIn(text, lengths, lengths.cm ?? 1n)
