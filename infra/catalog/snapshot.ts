/** One state of the database that several connections read at once, while others go on writing. */
import type { Client } from 'pg'
import { connect } from './postgres.ts'

export interface Snapshot {
  /** The connection that holds it; in its transaction for as long as it is open. */
  readonly holder: Client
  /** A connection of its own. @returns one that reads the same state, a transaction at a time */
  reader(): Promise<{ read<T>(work: (client: Client) => Promise<T>): Promise<T>; close(): Promise<void> }>
  close(): Promise<void>
}

const begin = 'begin isolation level repeatable read read only'
/** A server may have bounds for those who serve; and a policy that would hide rows is an error. */
const unbounded = `
  select set_config(name, '0', false) from pg_settings
   where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')
  union all select set_config('row_security', 'off', false)`

export async function openSnapshot(url: string): Promise<Snapshot> {
  const holder = await connect(url)
  try {
    await holder.query(unbounded)
    await holder.query(begin)
    const { rows } = await holder.query<{ id: string }>('select pg_export_snapshot() as id')
    const id = rows[0]?.id ?? ''
    return { holder, reader: () => openReader(url, id), close: () => holder.end() }
  } catch (error) {
    await holder.end()
    throw error
  }
}

/** A transaction a table: what it locks is free again once it has been read, so that nobody who must alter a table waits for all of them. */
async function openReader(url: string, snapshot: string) {
  const client = await connect(url)
  await client.query(unbounded)
  return {
    async read<T>(work: (client: Client) => Promise<T>): Promise<T> {
      await client.query(`${begin}; set transaction snapshot '${snapshot}'`)
      const result = await work(client)
      await client.query('commit')
      return result
    },
    close: () => client.end(),
  }
}
