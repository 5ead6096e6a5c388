/** Process entry for `assay serve`: the roles it was given, and beside others transforms in a process of their own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { archiveVariables, type Config } from './config.ts'
import { roles as everyRole, type Role } from './config-variables.ts'
import { StartError } from './start-error.ts'
import type { System } from './system.ts'

export interface Running {
  /** null where this process only transforms. */
  readonly system: System | null
  /** Where the API listens; empty where this process has not that role. */
  readonly address: string
  close(): Promise<void>
}

const restartMs = 1_000
/**
 * V8 learns while the young generation is still small that what a batch of rows is made of lives long, and puts it into the old one for
 * good from then on: a third of all that reading a file allocates stayed until the next full collection (7.2 s of CPU for 1 M rows, 5.6 without).
 */
const allYoung = '--no-allocation-site-pretenuring'
setFlagsFromString(allYoung)
/** Batches outlive a small young generation: with 16 MB of it the collector takes twice the time (46 against 25 µs a product). npm start gives this process 32. */
const memoryFlags = ['--max-semi-space-size=64', allYoung]
/** The batch under way ends in a second; one that waits for a store which is away does not end at all. */
const childEndsWithinMs = 5_000

/**
 * Starts everything in order. Where a process has the role `transforms` beside the API or jobs, they run in a child: refining and
 * grading then use the other core, and never make a request wait.
 * @param before anyone can ask
 */
export async function start(
  config: Config,
  logger: Logger,
  before: (system: System) => Promise<void> = async () => {},
): Promise<Running> {
  const { roles, databaseUrl } = config
  if (databaseUrl === undefined && everyRole.some((role) => !roles.includes(role)))
    throw new StartError(
      `The embedded Postgres belongs to one process with every role (${everyRole.join(', ')}); to run some apart, give each DATABASE_URL.`,
    )
  const ofEvents = (['api', 'events', 'jobs'] as const).filter((role) => roles.includes(role))
  if (config.clickhouseUrl === undefined && ofEvents.length % 3 !== 0)
    throw new StartError(
      'The embedded event store belongs to one process with the roles api, events and jobs; to run them apart, give each CLICKHOUSE_URL.',
    )
  const apart = roles.includes('transforms') && roles.some((role) => role === 'api' || role === 'jobs')
  const own = roles.filter((role) => role !== 'transforms' || !apart)
  if (own.join() === 'transforms' && config.healthPort === undefined) return startTransforms(config, logger)
  // What is refused is refused at once: the system is nearly all modules that there are.
  const { openSystem } = await import('./system.ts')
  const system = await openSystem(config, logger, { roles: own, alone: databaseUrl === undefined })
  let closeTransforms = async () => {}
  let closeServer = async () => {}
  const close = async () => {
    await closeServer()
    await closeTransforms()
    await system.close()
  }
  try {
    if (apart) closeTransforms = keepTransforms(config, system.databaseUrl, logger)
    await before(system)
    const server = await buildListener(config, system)
    closeServer = async () => server?.app.close()
    const address = (await server?.listen()) ?? ''
    if (roles.includes('api')) tellIssuers(config, logger)
    logger.info({ roles, ...(address && { address }) }, `Assay runs ${roles.join(', ')}`)
    return { system, address: roles.includes('api') ? address : '', close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Alone, and with nobody who asks for its health: a third of all modules. */
async function startTransforms(config: Config, logger: Logger): Promise<Running> {
  const { close } = await (await import('./system/open-transforms.ts')).openTransforms(config, logger)
  logger.info({ roles: config.roles }, 'Assay runs transforms')
  return { system: null, address: '', close }
}

/** The API, which answers for health too; a process without it listens only where it was told to, for those who watch it. */
async function buildListener({ roles, host, port, healthPort }: Config, system: System) {
  const isApi = roles.includes('api')
  const at = isApi ? port : healthPort
  if (at === undefined) return null
  // Who listens to nobody loads no API.
  const ports = (await import('./system/server-ports.ts')).serverPorts(system)
  const app = isApi
    ? await (await import('../serving/server.ts')).buildServer(ports)
    : await (await import('../serving/role-server.ts')).buildRoleServer(ports)
  const listen = () =>
    app.listen({ host, port: at }).catch((cause: NodeJS.ErrnoException) => {
      const another = isApi ? '--port' : 'ASSAY_HEALTH_PORT'
      const why =
        cause.code === 'EADDRINUSE' ? `is in use; choose another with ${another}` : `cannot be used (${cause.code})`
      throw new StartError(`Port ${at} on ${host} ${why}.`, { cause })
    })
  return { app, listen }
}

function tellIssuers({ localIssuer, oidc, dataFolder }: Config, logger: Logger): void {
  if (localIssuer)
    logger.warn(
      `THE LOCAL ISSUER IS ON: whoever can read ${dataFolder}/issuer.json can be anyone. Not for production; ASSAY_LOCAL_ISSUER=off turns it off.`,
    )
  else if (!oidc)
    logger.warn(
      'There is no issuer of tokens: only API keys open anything. Set ASSAY_OIDC_ISSUER and ASSAY_OIDC_AUDIENCE.',
    )
}

/** The child ends when this process does, however that ends, and is started anew when it dies alone. */
function keepTransforms(config: Config, databaseUrl: string, logger: Logger): () => Promise<void> {
  let closing = false
  let child: ChildProcess
  let restart: NodeJS.Timeout | undefined
  const run = () => {
    restart = undefined
    const role: Role = 'transforms'
    const compiled = getCompileCacheDir()
    child = fork(join(import.meta.dirname, 'transforms-main.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning', ...memoryFlags],
      env: {
        PATH: process.execPath,
        ASSAY_ROLES: role,
        ASSAY_DATA: config.dataFolder,
        ...(config.taxonomy.length === 0 ? {} : { ASSAY_TAXONOMY: config.taxonomy.join() }),
        ...archiveVariables(config.archive),
        ASSAY_LOG_PARTITIONS: String(config.logPartitions),
        ASSAY_LOG_LEVEL: config.logLevel,
        DATABASE_URL: databaseUrl,
        ...config.kafka?.variables,
        // Where Node keeps compiled modules it does so for the child too: each start is half the work.
        ...(compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {}),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Out of the terminal's Ctrl-C: this process closes it in its turn.
      detached: true,
    })
    const again = (died: object) => {
      if (closing || restart) return
      logger.error(died, 'the transforms process died and is started anew')
      restart = setTimeout(run, restartMs)
    }
    child.once('exit', (code, signal) => again({ code, signal }))
    // It could not even be started.
    child.once('error', (err) => again({ err }))
  }
  run()
  return async () => {
    closing = true
    clearTimeout(restart)
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    if (child.connected) child.disconnect()
    const late = setTimeout(() => child.kill('SIGKILL'), childEndsWithinMs)
    await gone.finally(() => clearTimeout(late))
  }
}
