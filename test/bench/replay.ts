/** `npm run bench replay [products] [watched]`: a replay of a whole catalog under other settings, its rate while others call, for as many products as are to be watched (a half), and then alone; what these calls take beside what they take idle; its verdict and its promotion. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '../../infra/catalog/postgres.ts'
import { progressLine } from '../../infra/cli/progress.ts'
import { table } from '../../infra/cli/table.ts'
import { writeCatalogFile } from './catalog-file.ts'
import { importOnce } from './import-file.ts'
import { measureReplay, type Waits } from './measure-replay.ts'
import { watchMemory } from './node-memory.ts'
import { serveForBench, workspace } from './serving.ts'

const idleSeconds = 15
/** Of what others wait idle. */
const waitBar = 1.5

export async function replayBench([count = '100000', part]: string[]): Promise<void> {
  const watched = Number(part ?? Math.ceil(Number(count) / 2))
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-file-'))
  const server = await serveForBench({ ASSAY_WORKSPACE_RATE: '1000000' })
  const memory = watchMemory(server.pid)
  const catalog = openCatalog(server.databaseUrl)
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: object) => {
    const url = `${server.url}/api/workspace/${workspace}${path}`
    const answer = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  try {
    const file = join(folder, 'catalog.csv')
    await writeCatalogFile(file, Number(count))
    await importOnce(server.url, server.token, file)
    const line = progressLine('replay', 'products')
    const told = (products: number) => line.show(products, Number(count))
    const begins = () => void memory.take()
    const seen = await measureReplay({ catalog, call, begins, told }, { idleSeconds, watched })
    line.end()
    const resident = Math.round((memory.take().get('server') ?? 0) / 1e6)
    process.stdout.write(
      `${table([
        ['products', 'replayed/s beside calls', 'alone', 'in all, s', 'verdict, ms', 'promoted/s', 'resident MB'],
        [
          ...[seen.products, seen.beside, seen.alone, seen.seconds, seen.verdictMs, seen.promotedPerSecond].map(
            Math.round,
          ),
          resident,
        ],
      ])}\n\n`,
    )
    const waits = [
      ['reads', seen.reads],
      ['edits', seen.edits],
    ] as const
    process.stdout.write(`${table([['', 'p95 idle, ms', 'during, ms', 'ratio'], ...waits.map(lineOf)])}\n`)
    const met = waits.every(([, waited]) => ratioOf(waited) <= waitBar)
    process.stdout.write(`bar, at most ${waitBar} of idle: ${met ? 'met' : 'missed'}\n`)
  } finally {
    memory.stop()
    await catalog.close()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const ratioOf = ({ idle, during }: Waits) => during / idle
const lineOf = ([what, waited]: readonly [string, Waits]) => [
  ...[what, waited.idle.toFixed(1), waited.during.toFixed(1), ratioOf(waited).toFixed(2)],
]
