/** Assay in parts for benchmarks: a Postgres, and beside it processes that have some of the roles each. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../infra/catalog/embedded.ts'
import { openTokens } from '../../infra/tokens.ts'
import { childEnvironment } from '../child-environment.ts'
import { listening, workspace } from './serving.ts'

const root = join(import.meta.dirname, '../..')

/** Nothing asks it: there are no events. */
const noStore = 'http://127.0.0.1:9'

export interface Apart {
  /** For whatever the benchmark keeps beside the data. */
  readonly folder: string
  readonly databaseUrl: string
  /** @returns the address of the API, with jobs, and with events, whose store is embedded */
  serve(): Promise<string>
  /** Processes that have the role `transforms`. */
  transform(workers: number): Promise<unknown>
  /** Of an admin of `ws_demo`. */
  token(): Promise<string>
  /** Ends its processes, and keeps Postgres. */
  end(): Promise<void>
  close(): Promise<void>
}

export async function startApart(env: Readonly<Record<string, string>> = {}): Promise<Apart> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  await chmod(folder, 0o711)
  const data = join(folder, 'data')
  const postgres = await startEmbeddedPostgres(data)
  const started: ChildProcess[] = []
  const run = (roles: string, semiSpace: number, pattern: RegExp) => {
    const flags = ['--disable-warning=ExperimentalWarning', `--max-semi-space-size=${semiSpace}`]
    const command = [join(root, 'infra/cli/assay.ts'), 'serve', '--no-sample', '--port', '0', '--roles', roles]
    const own = {
      ...childEnvironment,
      ASSAY_LOG_LEVEL: 'error',
      ASSAY_DATA: data,
      DATABASE_URL: postgres.url,
      CLICKHOUSE_URL: noStore,
    }
    const child = spawn(process.execPath, [...flags, ...command], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...own, ...env },
    })
    started.push(child)
    return listening(child.stdout, pattern)
  }
  const end = async () => {
    const ending = started.splice(0).map((child) => (child.kill('SIGTERM') ? once(child, 'exit') : null))
    await Promise.all(ending)
  }
  return {
    folder,
    databaseUrl: postgres.url,
    serve: () => run('api,jobs,events', 32, /listens on (http:\S+)/),
    transform: (workers) =>
      Promise.all(Array.from({ length: workers }, () => run('transforms', 64, /Assay runs (\S+)/))),
    async token() {
      const tokens = await openTokens(data, { local: true, provider: null })
      return tokens.sign({ subject: 'bench', workspace, role: 'admin', brand: null, scope: '' }, 2 * 3_600)
    },
    end,
    async close() {
      await end()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The log as it is, and nothing of it taken; for transforms that have ended. */
export const afreshSql = `
  truncate products, product_score, product_rank, product_recent, rank_due, dirty, duplicate_due, import_outcome, import_progress;
  update sink_position set next_offset = 0 where consumer_group = 'products'; checkpoint`
