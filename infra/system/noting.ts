/** Notes the ends of deliveries together: those that came while the ones before were being noted are one transaction. */
import type { InactiveReason } from '../../schemas/webhook.ts'
import { endTurns, holdTurns, noteEnds, type TurnEnd } from '../catalog/delivery-notes.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { endWebhook, holdForEnd } from '../catalog/webhook-end.ts'

export interface End extends TurnEnd {
  /** The webhook is inactive with it. */
  readonly inactive: { readonly reason: InactiveReason; readonly words: { title: string; says: string } } | null
}

export interface Noting {
  /** @throws where it could not be noted; another sends it again */
  note(end: End): Promise<void>
}

interface Waiting {
  readonly end: End
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

export function openNoting(
  { pipeline, inTransaction }: Pick<Catalog, 'pipeline' | 'inTransaction'>,
  now: () => Date,
): Noting {
  let waiting: Waiting[] = []
  let writing = false

  const write = (ends: readonly End[]) =>
    inTransaction(pipeline, async (tx) => {
      const inactive = ends.filter((end) => end.inactive !== null).map(({ turn }) => turn.webhook)
      if (inactive.length > 0) await holdForEnd(tx, inactive)
      const held = await holdTurns(
        tx,
        ends.map(({ turn }) => turn),
      )
      const own = ends.filter(({ turn }) => held.has(turn.webhook))
      if (own.length === 0) return
      await noteEnds(tx, own)
      for (const { turn, inactive: gone } of own) if (gone) await endWebhook(tx, turn.webhook, gone.reason, gone.words)
      await endTurns(tx, own, now())
    })

  async function writeAll() {
    while (waiting.length > 0) {
      const taken = waiting
      waiting = []
      const whole = await write(taken.map(({ end }) => end)).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      // One that cannot be noted keeps none of the others from it.
      if (whole === null) for (const { done } of taken) done()
      else if (taken.length === 1) taken[0]?.failed(whole.error)
      else for (const { end, done, failed } of taken) await write([end]).then(done, failed)
    }
    writing = false
  }

  return {
    note: (end) =>
      new Promise((done, failed) => {
        waiting.push({ end, done, failed })
        if (writing) return
        writing = true
        void writeAll()
      }),
  }
}
