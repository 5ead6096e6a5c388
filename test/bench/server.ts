/** A real server for a benchmark: `assay serve` as a process of its own on a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openTokens } from '../../infra/tokens.ts'

const root = join(import.meta.dirname, '../..')
export const workspace = 'ws_demo'

export interface BenchServer {
  readonly url: string
  readonly pid: number
  /** Each subject has a rate limit of its own. */
  token(subject: string): Promise<string>
  stop(): Promise<void>
}

export async function startServer(data: string): Promise<BenchServer> {
  const server = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--max-semi-space-size=32',
      join(root, 'infra/cli/assay.ts'),
      'serve',
      '--no-sample',
      '--data',
      data,
      '--port',
      '0',
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, ASSAY_LOG_LEVEL: 'warn' },
    },
  )
  const url = await listening(server)
  const tokens = await openTokens(data, { local: true, provider: null })
  return {
    url,
    pid: server.pid ?? 0,
    token: (subject) => tokens.sign({ subject, workspace, role: 'admin', brand: null, scope: '' }, 7_200),
    async stop() {
      const gone = once(server, 'exit')
      server.kill('SIGTERM')
      await gone
    },
  }
}

function listening(server: ChildProcess): Promise<string> {
  let out = ''
  return new Promise((resolve, reject) => {
    server.stdout?.on('data', (chunk) => {
      out += chunk
      const address = /listens on (http:\S+)/.exec(out)?.[1]
      if (address) resolve(address)
    })
    server.once('exit', () => reject(new Error(`the server did not start: ${out}`)))
  })
}
