/** Sends stored feeds to their targets: several at a time, one a target, each tried again by the schedule of webhooks. */
import type { TargetSecret } from '../../schemas/feed-file.ts'
import { retryAfterMs } from '../../schemas/webhook.ts'
import { ArchiveFileGone } from '../archive/store.ts'
import { type DueDelivery, dueDeliveries, noteDelivery, pinHostKey, tellPerson } from '../catalog/feed-deliveries.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Egress } from '../egress/open-egress.ts'
import { SealError, type Sealing } from '../seal.ts'
import type { FeedFileStore } from './feed-file-store.ts'
import { PutFailed, type PutOutcome, putToTarget } from './put-to-target.ts'

export interface FeedSending {
  /** Begins what is due, as far as slots are free. */
  fill(): Promise<void>
  /** What is under way is given up, and sent again by another. */
  stop(): Promise<void>
}

interface Parts {
  readonly catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  readonly store: Pick<FeedFileStore, 'local'>
  readonly egress: Pick<Egress, 'ask' | 'connect'>
  readonly sealing: Pick<Sealing, 'open'>
  readonly now: () => Date
  readonly onError: (error: unknown) => void
}

const slots = 8
/** Of one workspace: whose server takes an hour for each file keeps the others' waiting otherwise. */
const slotsOfOne = 2

export function openFeedSending(parts: Parts): FeedSending {
  const { catalog, now, onError } = parts
  const stopped = new AbortController()
  const busy = new Map<string, { readonly workspace: string; readonly sent: Promise<void> }>()

  async function fill(): Promise<void> {
    if (stopped.signal.aborted || busy.size >= slots) return
    const of = (workspace: string) => [...busy.values()].filter((one) => one.workspace === workspace).length
    const due = await dueDeliveries(catalog.pipeline, now(), [...busy.keys()], slotsOfOne)
    for (const one of due) {
      const { workspace, id } = one.target
      if (busy.size >= slots || busy.has(id) || of(workspace) >= slotsOfOne || stopped.signal.aborted) continue
      const sent = send(parts, one, stopped.signal)
        .catch((error: unknown) => {
          if (!stopped.signal.aborted) onError(error)
        })
        .finally(() => busy.delete(id))
      busy.set(id, { workspace, sent })
    }
  }

  return {
    fill,
    async stop() {
      stopped.abort(new Error('this process sends no more'))
      await Promise.all([...busy.values()].map(({ sent }) => sent))
    },
  }
}

async function send(parts: Parts, due: DueDelivery, signal: AbortSignal): Promise<void> {
  const { catalog, now } = parts
  const began = now()
  const put = await tried(parts, due, signal)
  const ms = now().getTime() - began.getTime()
  await catalog.inTransaction(catalog.pipeline, async (tx) => {
    const { file, target } = due
    if (!(put instanceof PutFailed)) {
      const end = { state: 'delivered', nextAt: null, ms, remote: put.remote, code: null, says: null } as const
      if (!(await noteDelivery(tx, due, end)) || put.hostKey === null) return
      if (await pinHostKey(tx, target, put.hostKey)) await tellPerson(tx, file, target.by, pinned(due, put.hostKey))
      return
    }
    const after = put.isFinal ? undefined : retryAfterMs[due.tries]
    const nextAt = after === undefined ? null : new Date(now().getTime() + after)
    const state = nextAt === null ? 'failed' : 'waiting'
    const noted = await noteDelivery(tx, due, { state, nextAt, ms, remote: null, code: put.code, says: put.message })
    if (noted && nextAt === null) await tellPerson(tx, file, target.by, givenUp(due, put))
  })
}

async function tried(
  { store, egress, sealing, now, onError }: Parts,
  { file, target }: DueDelivery,
  signal: AbortSignal,
): Promise<PutOutcome | PutFailed> {
  try {
    const secret = JSON.parse(sealing.open(target, target.id)) as TargetSecret
    const path = await store.local(file.id)
    return await putToTarget(egress, { file, target, secret, path, now: now(), signal })
  } catch (error) {
    if (error instanceof PutFailed) return error
    if (error instanceof ArchiveFileGone) return new PutFailed('no_file', 'The file is kept no longer', true, error)
    if (error instanceof SealError) return new PutFailed('sealed', 'Its secret cannot be opened any more', true, error)
    signal.throwIfAborted()
    // Whatever it is, what waits is not tried again at once.
    onError(error)
    return new PutFailed('failed', 'It went wrong on this side; the log has the cause', false, error)
  }
}

const placeOf = ({ target }: DueDelivery) => (target.kind === 'sftp' ? target.place.host : target.place.endpoint)

const pinned = (due: DueDelivery, key: string) => ({
  kind: 'feed.host_key',
  title: 'A host key is known from now on',
  says: `${placeOf(due)} showed ${key} on the first connection (feed of ${due.file.platform}, target ${due.target.id}). Compare it with what its keeper says; another one is refused from now on.`,
})

const givenUp = (due: DueDelivery, { message }: PutFailed) => ({
  kind: 'feed.delivery_failed',
  title: 'A feed could not be delivered',
  says: `The feed of ${due.file.platform} did not come to ${placeOf(due)} (target ${due.target.id}). ${message}. The next file is tried again.`,
})
