/** Spells numbers that a file keeps in binary, with the digits that their type knows and no others. */

export interface FloatType {
  /** Of the significand: whole numbers below two to this power are exact. */
  readonly bits: number
  /** Digits of a decimal that always survive, and those that always tell a number from its neighbours. */
  readonly sure: number
  readonly most: number
  /** Below it there are fewer digits. */
  readonly leastNormal: number
  readonly round: (value: number) => number
}

/** "IEEE 754-2019", table 3.5. */
export const floatTypes = {
  half: { bits: 11, sure: 3, most: 5, leastNormal: 2 ** -14, round: Math.f16round },
  single: { bits: 24, sure: 6, most: 9, leastNormal: 2 ** -126, round: Math.fround },
  double: { bits: 53, sure: 15, most: 17, leastNormal: 2 ** -1022, round: (value) => value },
} as const satisfies Record<string, FloatType>

/**
 * The shortest decimal that is read back as this number: as a double, 12.34 of 32 bits would be 12.34000015258789. A whole number beyond
 * what the type holds exactly has an exponent, since nobody knows its last digits: no trade item number can be taken for it.
 */
export function floatText(value: number, type: FloatType): string {
  if (!Number.isFinite(value)) return String(value)
  if (Number.isInteger(value)) return Math.abs(value) < 2 ** type.bits ? String(value) : cut(shortest(value, type))
  return String(shortest(value, type))
}

const cut = (value: number) => value.toExponential()

function shortest(value: number, { sure, most, leastNormal, round }: FloatType): number {
  // A double's own text is the shortest already.
  if (most === floatTypes.double.most) return value
  for (let digits = Math.abs(value) < leastNormal ? 1 : sure; digits < most; digits++) {
    const short = Number(value.toPrecision(digits))
    if (round(short) === value) return short
  }
  return Number(value.toPrecision(most))
}
