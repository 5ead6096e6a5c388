/** Whose question is asked next: those of the tenant that has had least of the store's time, of each in the order in which they came. */
import { ServiceError } from '../../schemas/errors.ts'

export interface QueueBounds {
  /** Questions that the store answers at the same time. */
  readonly atOnce: number
  /** Of one tenant: fewer, so that somebody else need not wait for the end of a long one. */
  readonly each: number
  /** How long a question waits before its asker is told to come again. */
  readonly waitMs: number
  /** Of one tenant; more are told so at once. */
  readonly waiting: number
}

export interface FairQueue {
  /**
   * @param signal of an asker who has gone: the question is taken off, unless it runs already
   * @throws ServiceError SERVER_002 where its turn does not come in time
   */
  run<T>(tenant: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

interface Tenant {
  /** Time of the store that it has had, counted from what the others had when it came. */
  usedMs: number
  running: number
  readonly waiting: Set<() => void>
}

/** @param now milliseconds of any clock that only goes on */
export function fairQueue(
  { atOnce, each, waitMs, waiting: most }: QueueBounds,
  now: () => number = () => performance.now(),
): FairQueue {
  const tenants = new Map<string, Tenant>()
  let running = 0

  function tenantOf(name: string): Tenant {
    const known = tenants.get(name)
    if (known) return known
    // Who asked nothing for long has saved nothing up.
    const usedMs = tenants.size === 0 ? 0 : Math.min(...[...tenants.values()].map((one) => one.usedMs))
    const tenant = { usedMs, running: 0, waiting: new Set<() => void>() }
    tenants.set(name, tenant)
    return tenant
  }

  function startNext(): void {
    while (running < atOnce) {
      let next: Tenant | null = null
      for (const one of tenants.values())
        if (one.waiting.size > 0 && one.running < each && (next === null || one.usedMs < next.usedMs)) next = one
      const [start] = next?.waiting ?? []
      if (!next || !start) return
      next.waiting.delete(start)
      next.running++
      running++
      start()
    }
  }

  function turnOf(tenant: Tenant, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clear()
        resolve()
      }
      const leave = (why: unknown) => {
        clear()
        tenant.waiting.delete(start)
        reject(why)
      }
      const late = setTimeout(() => leave(busy()), waitMs)
      const gone = () => leave(signal?.reason)
      const clear = () => {
        clearTimeout(late)
        signal?.removeEventListener('abort', gone)
      }
      signal?.addEventListener('abort', gone, { once: true })
      tenant.waiting.add(start)
      startNext()
    })
  }

  return {
    async run(name, work, signal) {
      signal?.throwIfAborted()
      const tenant = tenantOf(name)
      const forget = () => tenant.running === 0 && tenant.waiting.size === 0 && tenants.delete(name)
      if (tenant.waiting.size >= most) throw busy()
      try {
        await turnOf(tenant, signal)
      } catch (error) {
        forget()
        throw error
      }
      const began = now()
      try {
        return await work()
      } finally {
        tenant.usedMs += now() - began
        tenant.running--
        running--
        forget()
        startNext()
      }
    },
  }
}

const busy = () =>
  new ServiceError('SERVER_002', { message: 'Too many questions about events wait before this one; ask again shortly' })
