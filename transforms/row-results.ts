/** Rows of a file with their results, at about a byte a row: how a batch tells of rows that have nothing else to say. */
import type { Effect } from './apply.ts'

/** Ascending; of each row its distance from the one before and its result, as one number of seven bits a byte. */
export interface PackedRows {
  /** null where there is none. */
  readonly first: number | null
  readonly last: number | null
  readonly bytes: Uint8Array
}

export interface RowResult {
  readonly row: number
  readonly result: Effect
}

/** The place of a result is its number in the bytes: append only. */
const results = ['created', 'updated', 'unchanged'] as const satisfies readonly Effect[]
const codes = { created: 0, updated: 1, unchanged: 2 } as const satisfies Record<Effect, number>
/** Room for one result more. */
const radix = 4

export const noRows: PackedRows = { first: null, last: null, bytes: new Uint8Array() }

export interface OpenRows {
  /** In any order, each row once. */
  add(row: number, result: Effect): void
  packed(): PackedRows
}

export function openRows(): OpenRows {
  // One number a row: an object each would be most of the cost.
  const placed: number[] = []
  let inOrder = true
  return {
    add(row, result) {
      const next = row * radix + codes[result]
      inOrder &&= next > (placed.at(-1) ?? -1)
      placed.push(next)
    },
    packed() {
      if (!inOrder) placed.sort((a, b) => a - b)
      inOrder = true
      return pack(placed)
    },
  }
}

function pack(placed: readonly number[]): PackedRows {
  const [first, last] = [placed[0], placed.at(-1)]
  if (first === undefined || last === undefined) return noRows
  const bytes = new Uint8Array(placed.length * mostBytes)
  let size = 0
  let before = 0
  for (const one of placed) {
    let rest = one - before
    // Bit operations would end at row 2^29.
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes[size++] = (rest % 128) + 128
    bytes[size++] = rest
    before = one - (one % radix)
  }
  return { first: Math.floor(first / radix), last: Math.floor(last / radix), bytes: bytes.slice(0, size) }
}

/** Of a number that JavaScript counts by ones. */
const mostBytes = 8

export interface WantedRows {
  /** Rows up to this one are left out. */
  readonly after: number
  /** The last that is wanted. */
  readonly upTo: number
  /** null for every result. */
  readonly result: Effect | null
  readonly limit: number
}

/** The first that are wanted, in order of the file. */
export function unpackRows(bytes: Uint8Array, wanted: WantedRows): RowResult[] {
  const found: RowResult[] = []
  let row = 0
  for (let i = 0; i < bytes.length && found.length < wanted.limit; ) {
    let number = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[i++]
      if (byte === undefined) throw new Error('the results of rows end in the middle of one')
      number += (byte % 128) * scale
      if (byte < 128) break
    }
    const result = results[number % radix]
    if (result === undefined) throw new Error(`no result has the number ${number % radix}`)
    row += Math.floor(number / radix)
    if (row > wanted.upTo) break
    if (row > wanted.after && (wanted.result ?? result) === result) found.push({ row, result })
  }
  return found
}
