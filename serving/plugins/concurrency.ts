/** How many requests one address may have under way at once; asked before anything is looked up for them. */
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../schemas/errors.ts'
import type { LimitPorts } from './limits.ts'

/** Behind one address may stand an office or a proxy that is not trusted; beyond this it is one program that does not wait. */
const concurrentPerIp = 100

export function registerConcurrency(app: FastifyInstance, ports: LimitPorts) {
  const most = ports.concurrentPerIp ?? concurrentPerIp
  const underWay = new Map<string, number>()
  app.addHook('onRequest', ({ ip }, reply, done) => {
    const now = underWay.get(ip) ?? 0
    if (now >= most) {
      reply
        .header('retry-after', 1)
        .header('x-ratelimit-limit', most)
        .header('x-ratelimit-remaining', 0)
        .header('x-ratelimit-reset', Math.ceil(ports.now().getTime() / 1_000) + 1)
      throw new ServiceError('RATE_002')
    }
    underWay.set(ip, now + 1)
    reply.raw.on('close', () => {
      const left = (underWay.get(ip) ?? 1) - 1
      if (left > 0) underWay.set(ip, left)
      else underWay.delete(ip)
    })
    done()
  })
}
