/** The log of one request, made when something is first said in it: most requests say nothing, and to make one cost as much as to write a line. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

type Says = Parameters<FastifyBaseLogger['info']>

class LazyLog implements FastifyBaseLogger {
  readonly #make: () => FastifyBaseLogger
  #made: FastifyBaseLogger | null = null

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#make()
    return this.#made
  }
  get level() {
    return this.#log.level
  }
  set level(level) {
    this.#log.level = level
  }
  child: FastifyBaseLogger['child'] = (...how) => this.#log.child(...how)
  fatal(...says: Says) {
    this.#log.fatal(...says)
  }
  error(...says: Says) {
    this.#log.error(...says)
  }
  warn(...says: Says) {
    this.#log.warn(...says)
  }
  info(...says: Says) {
    this.#log.info(...says)
  }
  debug(...says: Says) {
    this.#log.debug(...says)
  }
  trace(...says: Says) {
    this.#log.trace(...says)
  }
  silent(...says: Says) {
    this.#log.silent(...says)
  }
}

export function registerLazyLog(app: FastifyInstance) {
  app.setChildLoggerFactory((logger, bindings, options) => new LazyLog(() => logger.child(bindings, options)))
}
