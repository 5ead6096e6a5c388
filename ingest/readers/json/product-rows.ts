/** Makes rows of one product of a JSON document: one, or one for each of its variants. */
import type { CellValue } from '../../../schemas/pipeline.ts'
import type { Field } from '../../../schemas/product.ts'
import { isBlank } from '../blank.ts'
import { halfCharacter, placeOf } from '../json-line.ts'
import { cellOf, isPointed, type Member, membersOf, type Span, skipSpace, tooMuch } from '../json-members.ts'
import { keyColumns } from '../nested/family-key.ts'
import { acpAmounts, decimalOf } from './acp.ts'
import { heldVariants } from './held-variants.ts'
import { listIn, sellerIn, sellers } from './object-lists.ts'

export interface ProductRow {
  readonly names: string[]
  readonly cells: CellValue[]
  /** Which of the cells are numbers with a point or an exponent. */
  readonly pointed: boolean[]
  /** Lines from the product's first to this row's. */
  readonly down: number
}

export interface Product {
  /** As `JSON.parse` reads it. */
  readonly value: unknown
  /** The key that the variants stand under; null where it has none. */
  readonly variants: string | null
  readonly rows: readonly ProductRow[]
}

/** How products are read; one for all of a document. */
export interface Form {
  /** Nested objects become columns with dotted names; else they stay the JSON text that they are. */
  readonly flat: boolean
  /** Amounts are integers in minor units. */
  readonly minor: boolean
}

/** @returns the end of a sentence that begins with the line's number where it cannot be read */
export function readProduct(text: string, form: Form): Product | string {
  const open = skipSpace(text, 0)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `begins a product that is no valid JSON${placeOf(error)}; repair it`
  }
  if (text[open] !== '{') return 'has a value that is no JSON object; give one object for each product'
  const members = membersOf(text, open)
  if (!members) return tooMuch
  const nested = heldVariants(text, members)
  if (nested === 'too much') return tooMuch
  const own: ProductRow = { names: [], cells: [], pointed: [], down: 0 }
  const good = addMembers(own, text, nested ? members.filter((member) => member !== nested.member) : members, '', form)
  if (good !== true) return good
  if (!nested) return { value, variants: null, rows: [own] }
  const rows: ProductRow[] = []
  const others = withoutFamily(own)
  let down = 0
  let at = 0
  for (const { start, members: variant } of nested.variants) {
    down += countBreaks(text.slice(at, start))
    at = start
    const { names, cells, pointed } = rows.length === 0 ? own : others
    const row: ProductRow = { names: [...names], cells: [...cells], pointed: [...pointed], down }
    const fine = addMembers(row, text, variant, `${nested.key}.`, form)
    if (fine !== true) return fine
    rows.push(row)
  }
  return { value, variants: nested.key, rows }
}

/** What a product's options are is one value of ours, whatever they are called. */
const optionsKey: Field = 'options'

/** Nested names are put together, and a long one would stand in each of them. */
const longestName = 1_000

/** What the family has in common stands on its first row alone, as in Shopify's files; the others have its key. */
function withoutFamily(own: ProductRow): ProductRow {
  const cellAt = (name: string) => own.cells[own.names.lastIndexOf(name)] ?? ''
  const name = keyColumns(new Set(own.names)).find((key) => !isBlank(cellAt(key)))
  // Without a key nothing would bring them together again.
  if (name === undefined) return own
  return { names: [name], cells: [cellAt(name)], pointed: [false], down: 0 }
}

function add(row: ProductRow, name: string, cell: CellValue, pointed = false) {
  row.names.push(name)
  row.cells.push(cell)
  row.pointed.push(pointed)
}

/** @returns true, or why the product cannot be read */
function addMembers(
  row: ProductRow,
  text: string,
  members: readonly Member[],
  prefix: string,
  form: Form,
): true | string {
  for (const member of members) {
    if (member.key === null) return halfCharacter
    const name = prefix + member.key
    if (name.length > longestName) return `has a name of more than ${longestName} characters; send shorter ones`
    const first = text[member.start]
    const inner = first === '{' && form.flat && name !== optionsKey ? membersOf(text, member.start) : null
    if (inner && inner.length > 0) {
      const good = addMembers(row, text, inner, `${name}.`, form)
      if (good !== true) return good
      if (form.minor && acpAmounts.has(member.key)) addAmount(row, text, inner, name)
      continue
    }
    const cell = inner ? '' : cellOf(text, member.start, member.end)
    if (cell === null) return halfCharacter
    add(row, name, cell, isPointed(text, member.start, member.end))
    if (first === '[') {
      const good = addFromObjects(row, text, member, prefix, form)
      if (good !== true) return good
    }
  }
  return true
}

/** What a list of objects says in columns of its own; the list itself is there as JSON text. */
function addFromObjects(
  row: ProductRow,
  text: string,
  { key, start }: Member,
  prefix: string,
  form: Form,
): true | string {
  if (key === null) return true
  const list = listIn(text, key, start)
  if (list) add(row, `${prefix}${key}.${list[0]}`, list[1])
  if (key !== sellers.of) return true
  const seller = sellerIn(text, start)
  const members = seller === null ? null : membersOf(text, seller)
  return members ? addMembers(row, text, members, `${prefix}${sellers.as}.`, form) : true
}

function addAmount(row: ProductRow, text: string, members: readonly Member[], name: string) {
  const of = (key: string) => {
    const member: Span | undefined = members.find((one) => one.key === key)
    const cell = member ? cellOf(text, member.start, member.end) : ''
    return typeof cell === 'string' ? cell : ''
  }
  const amount = decimalOf(of('amount'), of('currency'))
  // Written by us, of an integer.
  if (amount !== null) add(row, name, amount, true)
}

/** CRLF is one line break. */
const countBreaks = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0
