/** `npm run bench reweigh [products]`: what other weights would do and their coming into force, over a million scores, and the price of their gaps; each beside the bare SQL of the same work. */
import { connect } from '../../infra/catalog/postgres.ts'
import { table } from '../../infra/cli/table.ts'
import { measureReweigh, type Reweighed } from './measure-reweigh.ts'
import { watchMemory } from './node-memory.ts'
import { serveForBench, workspace } from './serving.ts'

export async function reweighBench(args: string[]): Promise<void> {
  const size = Number(args[0] ?? 1_000_000)
  const server = await serveForBench({ ASSAY_WORKSPACE_RATE: '1000000' })
  const client = await connect(server.databaseUrl)
  const memory = watchMemory(server.pid)
  try {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
    const found = await measureReweigh(
      {
        workspace,
        query: (sql, values) => client.query(sql, values) as never,
        call: async (method, path, body) => {
          const answer = await fetch(`${server.url}${path}`, {
            method,
            headers,
            ...(body ? { body: JSON.stringify(body) } : {}),
          })
          if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
          return answer.json()
        },
        told: (done) => process.stderr.write(`\r${done} products`),
        filled: () => void memory.take(),
      },
      { size, patterns: Math.min(size, 300_000), rounds: 5 },
    )
    print(found, (memory.take().get('server') ?? 0) / 1e6)
  } finally {
    memory.stop()
    await client.end()
    await server.close()
  }
}

function print({ products, patterns, preview, inForce, ranks, gaps }: Reweighed, peakMb: number): void {
  const ms = (value: number) => Math.round(value)
  const line = (what: string, { ms: own, worstMs, bareMs }: Reweighed['preview'], bar: string) => [
    ...[what, ms(own), ms(worstMs), ms(bareMs), (own / bareMs).toFixed(2), bar],
  ]
  process.stderr.write('\n')
  process.stdout.write(
    `${table([
      [`${products} products, ${patterns} patterns`, 'median ms', 'worst ms', 'bare SQL ms', 'ratio', 'bar'],
      line('preview of other weights', preview, '1000 ms'),
      line('saved weights in force for every reader', inForce, '5000 ms'),
      line('ranks of them built', ranks, ''),
      line('gaps with all fixes', gaps, 'a few seconds'),
    ])}\n`,
  )
  process.stdout.write(`resident memory of the server at most ${Math.round(peakMb)} MB\n`)
}
