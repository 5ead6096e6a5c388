/** What processes on one database tell one another at once: one connection listens for all of a process that wish to hear. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { connect } from './postgres.ts'

/** @param said null: the connection came or went, and what was said meanwhile was missed */
export type Heard = (said: string | null) => void

export interface Notices {
  /** @returns ends it */
  listen(channel: string, heard: Heard): () => void
  /** Whether what is said now would be heard; who asks by time as well need not do so often while it would. */
  hears(): boolean
  close(): Promise<void>
}

const retryMs = 250

/** Connects when somebody wishes to hear, and again after each loss: a server that restarted, a network that went. */
export function openNotices(url: string): Notices {
  const ears = new Map<string, Set<Heard>>()
  const closed = new AbortController()
  let session: Client | null = null
  let hearing = false
  let keeping: Promise<void> | null = null

  const tell = (channel: string, said: string | null) => {
    for (const heard of ears.get(channel) ?? []) heard(said)
  }
  const tellAll = () => {
    for (const channel of ears.keys()) tell(channel, null)
  }
  const subscribe = (client: Client, channel: string) => client.query(`listen ${client.escapeIdentifier(channel)}`)

  async function keep(): Promise<void> {
    while (!closed.signal.aborted) {
      await listenUntilLost().catch(() => {})
      if (hearing) {
        hearing = false
        tellAll()
      }
      await sleep(retryMs, undefined, { signal: closed.signal, ref: false }).catch(() => {})
    }
  }

  async function listenUntilLost(): Promise<void> {
    const client = await connect(url)
    const lost = new Promise((resolve) => client.once('end', resolve))
    client.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''))
    session = client
    try {
      for (const channel of ears.keys()) await subscribe(client, channel)
      if (closed.signal.aborted) return
      hearing = true
      tellAll()
      await lost
    } finally {
      session = null
      await client.end().catch(() => {})
    }
  }

  return {
    listen(channel, heard) {
      const present = ears.get(channel)
      if (present) present.add(heard)
      else {
        ears.set(channel, new Set([heard]))
        // Where it cannot the connection is lost, and the next one begins with all channels.
        if (session)
          subscribe(session, channel).then(
            () => tell(channel, null),
            () => {},
          )
      }
      keeping ??= keep()
      return () => void ears.get(channel)?.delete(heard)
    },
    hears: () => hearing,
    async close() {
      closed.abort()
      await session?.end()
      await keeping
    },
  }
}
