/** Asks questions of a server in this process, and says how long each takes. */
import type { FastifyInstance } from 'fastify'

/** One after another for their times, then four at once for how many there are in a second. */
export async function timed<T>(asked: readonly T[], ask: (one: T) => Promise<void>) {
  const ms: number[] = []
  const cpu = process.cpuUsage()
  for (const one of asked) {
    const began = performance.now()
    await ask(one)
    ms.push(performance.now() - began)
  }
  const { user, system } = process.cpuUsage(cpu)
  const waiting = [...asked]
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let one = waiting.pop(); one; one = waiting.pop()) await ask(one)
    }),
  )
  return {
    ms,
    perSecond: asked.length / ((performance.now() - began) / 1_000),
    cpuMs: (user + system) / 1_000 / asked.length,
  }
}

export async function got(app: FastifyInstance, url: string, headers: Record<string, string> = {}): Promise<void> {
  const answer = await app.inject({ method: 'GET', url, headers })
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.body}`)
}
