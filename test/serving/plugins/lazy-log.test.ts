import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import pino from 'pino'
import { expect, test } from 'vitest'
import { registerLazyLog } from '../../../serving/plugins/lazy-log.ts'

test('a request has its log under its id, and one that says nothing makes none', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  let made = 0
  const child = logger.child.bind(logger)
  logger.child = ((...how: Parameters<typeof child>) => {
    made++
    return child(...how)
  }) as typeof logger.child
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    genReqId: () => 'mine',
    logController: new LogController({ disableRequestLogging: true }),
  })
  registerLazyLog(app)
  app.get('/silent', async () => ({}))
  app.get('/speaks', async ({ log }) => {
    log.info('nobody hears this')
    log.warn({ of: 'it' }, 'said')
    log.error('said again')
    return { level: log.level }
  })
  await app.ready()
  const before = made
  await app.inject('/silent')
  expect(made).toBe(before)
  expect((await app.inject('/speaks')).json()).toEqual({ level: 'warn' })
  expect(made).toBe(before + 1)
  await app.close()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { reqId: 'mine', of: 'it', msg: 'said' },
    { reqId: 'mine', msg: 'said again' },
  ])
})
