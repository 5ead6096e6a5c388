/** Reads a record from the log's bytes; what is no record of a version we know is dead, with the reason. */
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { dead, type Outcome, ok } from '../step.ts'

const ops = new Set(['put', 'withdraw', 'void', 'unvoid'])

export function decodeRecord(bytes: Uint8Array): Outcome<BronzeRecord> {
  let value: unknown
  try {
    value = JSON.parse(text.decode(bytes))
  } catch (error) {
    return dead(`not JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return dead('not a JSON object')
  const record = value as Partial<BronzeRecord>
  if (record.v !== 1) return dead(`unknown schema version ${JSON.stringify(record.v)}`)
  if (!ops.has(record.op as string)) return dead(`unknown operation ${JSON.stringify(record.op)}`)
  const missing = (['workspace', 'brand', 'catalog', 'product', 'source', 'sid', 'at', 'kind'] as const).filter(
    (name) => typeof record[name] !== 'string',
  )
  if (missing.length > 0) return dead(`without ${missing.join(', ')}`)
  if (typeof record.context !== 'number' || typeof record.seq !== 'number') return dead('without context or seq')
  if (!Array.isArray(record.rows) || typeof record.cells !== 'object' || record.cells === null)
    return dead('without rows or cells')
  return ok(record as BronzeRecord)
}

const text = new TextDecoder('utf-8', { fatal: true })
