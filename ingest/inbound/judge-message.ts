/** Judges one message of an inbound topic: what it says of which product, or why it is put aside. Pure. */
import {
  type InboundHeader,
  inboundRecord,
  largestMessageBytes,
  topicSource,
  workspaceOfTopic,
} from '../../schemas/inbound.ts'
import type { Cells, CellValue } from '../../schemas/pipeline.ts'
import { setOwn } from '../../transforms/bronze/cell-value.ts'
import { dead, type Outcome, ok } from '../../transforms/step.ts'

export interface InboundMessage {
  readonly partition: number
  readonly offset: number
  /** '' where it has none. */
  readonly key: string
  /** Empty where it has none. */
  readonly value: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly noValue?: true
}

export interface JudgedMessage {
  readonly op: 'put' | 'withdraw'
  /** null: the default one. */
  readonly catalog: string | null
  readonly source: string
  /** What the source calls the product, where its cells do not say. */
  readonly key: string | null
  readonly cells: Cells
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const sourceForm = /^[\p{L}\p{N} ._-]{1,100}$/u
const text = new TextDecoder('utf-8', { fatal: true })

export function judgeMessage(topic: string, message: InboundMessage): Outcome<JudgedMessage> {
  const header = (name: InboundHeader) => message.headers?.[name]
  const said = header('assay-workspace')
  if (said !== undefined && said !== workspaceOfTopic(topic))
    return dead(`the header assay-workspace says ${JSON.stringify(said)}`, 'wrong_workspace')
  if (message.value.length > largestMessageBytes)
    return dead(`it has ${message.value.length} bytes; ${largestMessageBytes} is the most`, 'too_large')
  // Two keys of other bytes would be one text.
  if (message.key.includes('\uFFFD')) return dead('its key is no text in UTF-8', 'invalid_record')
  const catalog = header('assay-catalog')?.toLowerCase() ?? null
  if (catalog !== null && !uuid.test(catalog)) return dead('the header assay-catalog is no id', 'unknown_catalog')
  const name = header('assay-source') ?? 'inbound'
  if (!sourceForm.test(name)) return dead('the header assay-source is no name of a source', 'invalid_record')
  const from = { catalog, source: topicSource(name), key: message.key === '' ? null : message.key }
  // An engine without headers cannot tell the two apart, and no stranger writes to it.
  if (message.noValue || (message.value.length === 0 && message.headers === undefined))
    return from.key === null
      ? dead('it has neither key nor value', 'not_json')
      : ok({ op: 'withdraw', ...from, cells: {} })
  return judgeValue(message.value, from)
}

function judgeValue(bytes: Uint8Array, from: Omit<JudgedMessage, 'op' | 'cells'>): Outcome<JudgedMessage> {
  let value: unknown
  try {
    value = JSON.parse(text.decode(bytes))
  } catch (error) {
    return dead(`not JSON: ${error instanceof Error ? error.message : error}`, 'not_json')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return dead('not a JSON object', 'not_json')
  if ((value as { v?: unknown }).v !== 1)
    return dead(`unknown version ${JSON.stringify((value as { v?: unknown }).v)}`, 'unknown_version')
  const read = inboundRecord.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    return dead(`${issue?.path.join('.') || 'the record'}: ${issue?.message}`, 'invalid_record')
  }
  const { op = 'put', product } = read.data
  return ok({ op, ...from, cells: cellsOf(product) })
}

function cellsOf(product: Readonly<Record<string, string | number | boolean | null | string[]>>): Cells {
  const cells: Record<string, CellValue> = {}
  for (const [name, value] of Object.entries(product)) {
    if (value === null) continue
    setOwn(cells, name, typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)
  }
  return cells
}
