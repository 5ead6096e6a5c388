/** Asks one address as fast as it answers, over a fixed number of kept connections, for a bounded time. */
import { Agent, request } from 'node:http'

export interface Rate {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
}

/** @throws at the first answer that is no 200 */
export async function requests(
  url: string,
  {
    headers = {},
    body,
    connections,
    seconds,
  }: { headers?: Record<string, string> /** Sent by POST. */; body?: string; connections: number; seconds: number },
): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  const began = performance.now()
  const until = began + seconds * 1_000
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const at = performance.now()
      request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
        answer.resume()
        answer.on('end', () => {
          took.push(performance.now() - at)
          resolve()
        })
      })
        .on('error', reject)
        .end(body)
    })
  const caller = async () => {
    while (performance.now() < until) await one()
  }
  await Promise.all(Array.from({ length: connections }, caller))
  const elapsed = (performance.now() - began) / 1_000
  agent.destroy()
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0
  return { perSecond: took.length / elapsed, p50Ms: at(0.5), p95Ms: at(0.95) }
}
