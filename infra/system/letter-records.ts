/** Reads dead letters back, and makes of each what redrives it, or says why that cannot be. */
import { type ResolvePorts, resolveMessages } from '../../ingest/inbound/resolve-messages.ts'
import type { DeadKind, DeadPlace } from '../../schemas/dead-letter.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { decodeRecord } from '../../transforms/bronze/decode.ts'
import { decodeEvent } from '../../transforms/events/decode.ts'
import type { DeadLetterRow } from '../catalog/dead-letters.ts'
import { epochOf } from '../log/epoch-of.ts'
import type { InboundLog } from '../log/inbound-log.ts'
import { type Found, notKept } from '../log/look-up-inbound.ts'
import type { Log, NewRecord, StoredRecord } from '../log/port.ts'

/** An event, which is sent again as it is: its id tells that it is the same one. */
export interface Again {
  readonly event: NewRecord
}

export interface LetterRecord {
  readonly letter: DeadLetterRow
  /** Without a kind where the record itself was not met, which then keeps that of which it died. */
  readonly made: BronzeRecord | Again | { readonly reason: string; readonly as: DeadKind | null }
  /** Of others, that come with it: of the parent of a group that its message names. */
  readonly beside?: readonly BronzeRecord[]
}

interface Parts {
  readonly log: Log
  readonly inbound: Pick<InboundLog, 'lookUp'>
  readonly resolve: ResolvePorts
}

type By = Required<Pick<BronzeRecord, 'job' | 'by' | 'at'>>

/** One stored batch at a time: letters that died together stand in it together. */
export async function letterRecords(letters: readonly DeadLetterRow[], parts: Parts, by: By): Promise<LetterRecord[]> {
  const inOrder = letters.toSorted(
    (a, b) =>
      (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : 0) ||
      a.epoch - b.epoch ||
      a.partition - b.partition ||
      a.offset - b.offset,
  )
  let [topic, epoch, read]: [string, number, Found] = ['', 0, { records: [] }]
  const found: LetterRecord[] = []
  for (const letter of inOrder) {
    const here = (one: StoredRecord) => one.partition === letter.partition && one.offset === letter.offset
    if (letter.topic !== topic || letter.epoch !== epoch || !('records' in read && read.records.some(here)))
      read = await readLetter(letter, parts)
    topic = letter.topic
    epoch = letter.epoch
    const stored = 'records' in read ? read.records.find(here) : undefined
    const told =
      stored &&
      (topic === topics.bronze
        ? { made: ofRecord(stored, letter, by) }
        : topic === topics.events
          ? { made: ofEvent(stored) }
          : ofMessage(stored, letter, parts, by))
    const missing = { made: { reason: 'missing' in read ? read.missing : notKept, as: null } }
    found.push({ letter, ...((await told) ?? missing) })
  }
  return found
}

/** What stands at a letter's place, and behind it in the same stored batch; or why there is nothing. */
export async function readLetter(place: DeadPlace, { log, inbound }: Pick<Parts, 'log' | 'inbound'>): Promise<Found> {
  const { topic, epoch, partition, offset } = place
  if (topic !== topics.bronze && topic !== topics.events) return inbound.lookUp(place)
  const records = await epochOf(log, epoch).read(topic, partition, offset, 1)
  return records.some((one) => one.offset === offset) ? { records } : { missing: notKept }
}

const emptied = { v: 1, op: 'redrive', context: 0, seq: -1, rows: [], cells: {} } as const

function ofRecord({ key, value }: StoredRecord, letter: DeadLetterRow, by: By): LetterRecord['made'] {
  const outcome = decodeRecord(value)
  if (outcome.kind !== 'ok') return { reason: outcome.reason, as: outcome.kind === 'dead' ? outcome.as : 'failed' }
  const { workspace, brand, catalog, product, source, sid, kind } = outcome.value
  if (product !== key) return { reason: 'it names another product than its key', as: 'invalid_record' }
  const { epoch, partition, offset } = letter
  return {
    ...emptied,
    workspace,
    brand,
    catalog,
    product,
    source,
    sid,
    kind,
    origin: { epoch, partition, offset },
    ...by,
  }
}

function ofEvent({ key, value }: StoredRecord): LetterRecord['made'] {
  const event = decodeEvent(value)
  return 'unread' in event ? { reason: event.unread, as: event.as } : { event: { key, value } }
}

/** Judged anew; its record counts between those that stood on the log when it died and those that came after. */
async function ofMessage(
  stored: StoredRecord,
  { topic, epoch, partition, offset, place }: DeadLetterRow,
  { log, resolve }: Parts,
  by: By,
): Promise<Omit<LetterRecord, 'letter'>> {
  const [taken] = await resolveMessages({ topic, epoch }, [stored], resolve)
  const says = taken?.record
  if (!says) {
    const { outcome } = taken ?? {}
    if (outcome?.kind === 'dead') return { made: { reason: outcome.reason, as: outcome.as } }
    return { made: { reason: outcome?.kind === 'drop' ? outcome.reason : 'it says nothing', as: 'failed' } }
  }
  const { workspace, brand, catalog, product, source, sid, kind } = says
  const own = log.partitionOf(product)
  // Before all of an epoch that began since.
  const end = place?.epoch === log.epoch ? (place.ends[own] ?? 0) : 0
  const origin = { epoch: log.epoch, partition: own, offset: end - 0.5 }
  const redrive: BronzeRecord = {
    ...{ ...emptied, workspace, brand, catalog, product, source, sid, kind, origin, ...by },
    ...{ letter: { topic, ...(epoch === 0 ? {} : { epoch }), partition, offset }, says },
  }
  return { made: redrive, beside: taken.beside }
}
