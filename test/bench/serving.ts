/** A real server for benchmarks: `assay serve` as a process of its own on a data folder that is gone afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConnection } from '../../infra/catalog/connection-file.ts'
import { openTokens } from '../../infra/tokens.ts'
import { childEnvironment } from '../child-environment.ts'

const root = join(import.meta.dirname, '../..')

export const workspace = 'ws_demo'

export interface Serving {
  readonly url: string
  readonly pid: number
  /** Of an admin of `ws_demo`. */
  readonly token: string
  /** The embedded server's, as the owner of the tables. */
  readonly databaseUrl: string
  close(): Promise<void>
}

/** @param program in place of `assay`, with the same arguments */
export async function serveForBench(
  env: Record<string, string> = {},
  program = join(root, 'infra/cli/assay.ts'),
): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  await chmod(folder, 0o711)
  const data = join(folder, 'data')
  const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32']
  const command = [program, 'serve', '--no-sample', '--data', data, '--port', '0']
  const server = spawn(process.execPath, [...flags, ...command], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...childEnvironment, ASSAY_LOG_LEVEL: 'error', ...env },
  })
  const url = await listening(server.stdout, /listens on (http:\S+)/)
  const tokens = await openTokens(data, { local: true, provider: null })
  const { port, password } = await readConnection(join(data, 'postgres'))
  return {
    url,
    pid: server.pid ?? 0,
    token: await tokens.sign({ subject: 'bench', workspace, role: 'admin', brand: null, scope: '' }, 2 * 3_600),
    databaseUrl: `postgres://assay:${password}@127.0.0.1:${port}/postgres`,
    async close() {
      server.kill('SIGINT')
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @returns what the pattern's group matches in the process's output */
export function listening(output: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  let out = ''
  return new Promise((resolve, reject) => {
    output.on('data', (chunk) => {
      out += chunk
      const found = pattern.exec(out)?.[1]
      if (found) resolve(found)
    })
    output.once('end', () => reject(new Error(`the server did not start: ${out}`)))
  })
}
