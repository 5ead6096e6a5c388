/** The child process of the embedded event store: chDB, and on loopback the part of ClickHouse's HTTP interface that its client uses. */
import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type RawInsertFormat, Session } from 'chdb'
import { readParameters } from './http-parameters.ts'

const insertForm = /^\s*insert\s+into\s+([\w.`]+)\s*(?:\(([^)]*)\)\s*)?format\s+(\w+)\s*$/i
const hasSettings = /^\s*(select|with)\b/i

const [folder = ''] = process.argv.slice(2)
const session = new Session(folder)
/** Told by who started it: others on this machine see arguments. */
let expected = Buffer.alloc(0)

function isAllowed({ headers }: IncomingMessage): boolean {
  const given = Buffer.from(headers.authorization ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

let turn: Promise<unknown> = Promise.resolve()

/**
 * What a statement had written when it failed comes before the answer of the next one, whoever asks that: 12 MB of rows did in a
 * trial. So statements follow one another, and after one that failed nobody's comes until an answer is only itself.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work)
  turn = done.catch(drain)
  return done
}

const drains = 3
async function drain(): Promise<void> {
  for (let left = drains; left > 0; left--) {
    const own = await session.queryAsync('select 1', { format: 'TabSeparated' }).catch(() => null)
    if (own?.text() === '1\n') return
  }
  // Started anew, it has nothing of that.
  process.exit(1)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/ping') return void response.end('Ok.\n')
  if (!isAllowed(request)) {
    response.statusCode = 403
    response.setHeader('x-clickhouse-exception-code', 516)
    return void response.end('Code: 516. DB::Exception: wrong user or password. (AUTHENTICATION_FAILED)')
  }
  const body = await buffer(request)
  const { query, bound, settings } = readParameters(searchParams, body)
  const insert = insertForm.exec(query)
  if (insert) {
    const [, table = '', columns, format = ''] = insert
    const order = {
      table: table.replaceAll('`', ''),
      values: body,
      format: format as RawInsertFormat,
      settings,
      ...(columns && { columns: columns.split(',').map((name) => name.trim().replaceAll('`', '')) }),
    }
    const { rowsWritten } = await inTurn(() => session.insert(order))
    response.setHeader('x-clickhouse-summary', JSON.stringify({ written_rows: String(rowsWritten) }))
    return void response.end()
  }
  const set = Object.entries(settings).map(([name, value]) => `${name} = ${literal(value)}`)
  const sql = set.length > 0 && hasSettings.test(query) ? `${query}\nsettings ${set.join()}` : query
  // The engine's own default is CSV; a query that names its format is answered in that.
  const result = await inTurn(async () =>
    // Who asked may have gone while others were answered; a statement that runs cannot be ended.
    response.destroyed ? null : session.queryBindAsync(sql, bound, { format: 'TabSeparated' }),
  )
  response.end(result?.bytes())
}

const literal = (value: string) => (/^\d+$/.test(value) ? value : `'${value.replace(/[\\']/g, '\\$&')}'`)

/** What a question binds comes in its address: its filters have 8,192 characters, and each may be nine there. */
const longestAddressBytes = 128 * 1024

const server = createServer({ maxHeaderSize: longestAddressBytes }, (request, response) => {
  answer(request, response).catch((error: Error & { readonly clickhouseCode?: number }) => {
    if (response.headersSent) return response.destroy()
    response.statusCode = 500
    response.setHeader('x-clickhouse-exception-code', error.clickhouseCode ?? 1002)
    response.end(error.message)
  })
})
process.once('message', ({ password }: { password: string }) => {
  expected = Buffer.from(`Basic ${Buffer.from(`default:${password}`).toString('base64')}`)
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
})

/** It lives as long as who started it. */
process.once('disconnect', () => {
  server.close()
  server.closeAllConnections()
  session.close()
  process.exit(0)
})
