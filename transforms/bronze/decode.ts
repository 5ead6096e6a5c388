/** Reads a record from the log's bytes; what is no record of a version we know is dead, with the reason. */
import type { BronzeRecord, Position } from '../../schemas/pipeline.ts'
import { dead, type Outcome, ok } from '../step.ts'
import { type Form, hexForm } from './hex-form.ts'

const ops = new Set(['put', 'withdraw', 'void', 'unvoid', 'redrive'])
const kinds = new Set(['single', 'variant', 'parent'])
const uuid = hexForm(8, 4, 4, 4, 12)

/** What is looked up and stored by these must have their form: a store that cannot take a key would refuse the whole batch, again and again. */
export const keyForms = {
  workspace: /^ws_[a-z0-9]+$/,
  brand: uuid,
  catalog: uuid,
  product: uuid,
  sid: hexForm(64),
} as const satisfies Partial<Record<keyof BronzeRecord, Form>>
const keyNames = Object.keys(keyForms) as (keyof typeof keyForms)[]

export function decodeRecord(bytes: Buffer): Outcome<BronzeRecord> {
  let value: unknown
  try {
    value = JSON.parse(textOf(bytes))
  } catch (error) {
    return dead(`not JSON: ${error instanceof Error ? error.message : error}`, 'not_json')
  }
  return readRecord(value)
}

/** The same of a value that is no longer bytes. */
export function readRecord(value: unknown): Outcome<BronzeRecord> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return dead('not a JSON object', 'not_json')
  const record = value as Partial<BronzeRecord>
  if (record.v !== 1) return dead(`unknown schema version ${JSON.stringify(record.v)}`, 'unknown_version')
  if (!ops.has(record.op as string)) return dead(`unknown operation ${JSON.stringify(record.op)}`, 'unknown_version')
  const wrong = wrongName(record)
  return wrong === null ? ok(record as BronzeRecord) : dead(`without a valid ${wrong}`, 'invalid_record')
}

/** The decoder alone takes twice the time; it says why bytes are no text, and passes over a byte order mark. */
function textOf(bytes: Buffer): string {
  const quick = bytes.toString()
  return quick.startsWith('{') && !quick.includes(replacement) ? quick : text.decode(bytes)
}
/** What stands in a text for bytes that are none. */
const replacement = '\ufffd'
const text = new TextDecoder('utf-8', { fatal: true })

/** The first member that is not what a record has there. */
function wrongName(record: Partial<BronzeRecord>): keyof BronzeRecord | null {
  for (const name of keyNames) if (!hasForm(name, keyForms[name], record[name])) return name
  if (record.import !== undefined && !hasForm('import', uuid, record.import)) return 'import'
  if (record.family !== undefined && !hasForm('family', uuid, record.family)) return 'family'
  if (record.job !== undefined && !hasForm('job', uuid, record.job)) return 'job'
  if (typeof record.source !== 'string') return 'source'
  if (!kinds.has(record.kind as string)) return 'kind'
  if (!isKnown('at', record.at, (at) => !Number.isNaN(Date.parse(at)))) return 'at'
  if (!isCount(record.context)) return 'context'
  if (!Number.isSafeInteger(record.seq)) return 'seq'
  if (!Array.isArray(record.rows) || !record.rows.every(isCount)) return 'rows'
  if (record.op === 'redrive' && !isPosition(record.origin, record.says !== undefined)) return 'origin'
  if (record.says !== undefined && readRecord(record.says).kind !== 'ok') return 'says'
  if (typeof record.cells !== 'object' || record.cells === null || Array.isArray(record.cells)) return 'cells'
  return null
}

/** The last that was right, by name: most records say of most the same as the one before. */
const known: Partial<Record<keyof BronzeRecord, string>> = {}
function isKnown(name: keyof BronzeRecord, value: unknown, isRight: (value: string) => boolean): boolean {
  if (typeof value !== 'string') return false
  if (value === known[name]) return true
  if (!isRight(value)) return false
  known[name] = value
  return true
}

const hasForm = (name: keyof BronzeRecord, form: Form, value: unknown) => isKnown(name, value, (one) => form.test(one))
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
/** @param between two offsets, where it is half of an odd number */
const isPosition = (value: Partial<Position> | undefined, between: boolean) =>
  isCount(value?.epoch) && isCount(value?.partition) && isCount((value?.offset ?? -1) + (between ? 0.5 : 0))
