/** `assay serve`: starts the server, the first time with a sample catalog, and stays until it is told to stop. */
import { type Config, readRoles } from '../config.ts'
import { openLogger } from '../logger.ts'
import { archiveFolder } from './archive-folder.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'

/** One Ctrl-C comes twice where npm started us: from the terminal, and handed on by npm. */
const oneAskMs = 500

export async function serve(args: string[], config: Config): Promise<number> {
  const { values } = readArguments(args, {
    port: { type: 'string' },
    data: { type: 'string' },
    roles: { type: 'string' },
    'no-sample': { type: 'boolean', default: false },
  })
  const port = values.port === undefined ? config.port : Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CommandError('--port takes a number from 0 to 65535.')
  const roles = values.roles === undefined ? config.roles : readRoles(values.roles, '--roles')
  const dataFolder = values.data ?? config.dataFolder
  const folder = archiveFolder(config, dataFolder)
  const chosen = { ...config, port, roles, dataFolder, ...(folder === null ? {} : { archive: { folder } }) }
  const isApi = roles.includes('api')
  const level = process.stderr.isTTY && config.logLevel === 'info' ? 'warn' : config.logLevel
  const logger = openLogger(level)

  const stopped = new AbortController()
  let askedAt = 0
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        // A second time is for someone who cannot wait: the log and the catalog survive it.
        if (askedAt > 0 && Date.now() - askedAt > oneAskMs) process.exit(130)
        if (askedAt > 0) return
        askedAt = Date.now()
        stopped.abort()
        resolve()
      })
  })
  const { start } = await import('../main.ts')
  let made = false
  // Before anyone can ask: what is not there is remembered for seconds.
  const running = await start(chosen, logger, async ({ catalog }) => {
    if (!isApi) return
    const { ensureWorkspace } = await import('../catalog/tenants.ts')
    const { demoWorkspace } = await import('./sample.ts')
    made = await ensureWorkspace(catalog.pipeline, demoWorkspace, 'Demonstration')
  })
  try {
    const { system, address } = running
    if (isApi && system) {
      const { ingestSample, tellStart } = await import('./sample.ts')
      const wanted = !values['no-sample'] && roles.includes('jobs')
      const sampled = wanted && (await ingestSample(system, stopped.signal))
      if (!stopped.signal.aborted) await tellStart(system, address, made || sampled)
    } else process.stdout.write(`Assay runs ${roles.join(', ')}\n`)
    await asked
  } finally {
    process.stderr.write('Closing.\n')
    await running.close()
  }
  return 0
}
