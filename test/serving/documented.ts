/** Holds answers to the API document: a status that their operation does not have there is a fault of one of the two. */
import type { FastifyInstance } from 'fastify'

interface Documented {
  readonly method: string
  readonly pattern: RegExp
  readonly path: string
  readonly statuses: ReadonlySet<string>
}

type Paths = Record<string, Record<string, { responses: object }>>

/** By how many parts their path has. Every server of a process has the same, and making it takes a quarter of a second. */
let documented: ReadonlyMap<number, readonly Documented[]> | undefined

const parts = (path: string) => path.split('/').length

async function read(app: FastifyInstance): Promise<ReadonlyMap<number, readonly Documented[]>> {
  const { paths } = (await app.inject('/openapi.json')).json() as { paths: Paths }
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`),
      path,
      statuses: new Set(Object.keys(responses)),
    })),
  )
  return Map.groupBy(operations, ({ path }) => parts(path))
}

/** @returns what throws for an answer whose status is not in the document */
export function documentedAnswers(app: FastifyInstance) {
  return async (method: string, url: string, status: number): Promise<void> => {
    documented ??= await read(app)
    const [address = ''] = url.split(/[?#]/)
    const found = (documented.get(parts(address)) ?? []).filter((one) => one.pattern.test(address))
    // A name in place of a parameter is the nearer route, as `versions/compare` is to `versions/{version}`.
    const [nearest] = found.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
    // The address of another route, which says which methods it takes.
    if (nearest && nearest.method !== method && status === 405) return
    const own = found.find((one) => one.method === method)
    if (!own || own.statuses.has(String(status))) return
    throw new Error(`${method} ${own.path} answered ${status}, which the API document does not have`)
  }
}
