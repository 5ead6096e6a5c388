/** The event store asked over bare HTTP, without anything of ours between: what benchmarks compare with. */
import { eventColumns } from '../../schemas/event-row.ts'
import type { EventRow } from '../event-row.ts'

export interface BareEvents {
  command(sql: string): Promise<void>
  insert(rows: readonly EventRow[]): Promise<void>
  /** Cells in the order of `eventColumns`. */
  insertLines(lines: readonly Uint8Array[]): Promise<void>
  ask(sql: string): Promise<readonly Record<string, unknown>[]>
}

export function bareEvents(port: number, password: string): BareEvents {
  const authorization = `Basic ${Buffer.from(`default:${password}`).toString('base64')}`
  async function send(body: string | Buffer, query?: string): Promise<string> {
    const address = `http://127.0.0.1:${port}/${query === undefined ? '' : `?query=${encodeURIComponent(query)}`}`
    const answer = await fetch(address, { method: 'POST', headers: { authorization }, body })
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return text
  }
  return {
    command: async (sql) => void (await send(sql)),
    insert: async (rows) =>
      void (await send(
        rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
        'insert into events format JSONEachRow',
      )),
    insertLines: async (lines) =>
      void (await send(Buffer.concat(lines), `insert into events (${eventColumns.join()}) format TabSeparated`)),
    ask: async (sql) => JSON.parse(await send(`${sql}\nformat JSON`)).data,
  }
}
