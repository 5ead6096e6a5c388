/** Idempotency-Key: a POST that makes something, sent again with the same key and body, makes nothing and gets the first answer again. */
import { hash, randomUUID } from 'node:crypto'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onSendHookHandler,
  preHandlerHookHandler,
} from 'fastify'
import type { Claim, Found, KeptAnswer } from '../../infra/catalog/idempotency.ts'
import { Refusal } from './refusal.ts'

export interface IdempotencyPorts {
  readonly now: () => Date
  /** @returns null where the key is now this request's to answer */
  readonly take: (claim: Claim) => Promise<Found | null>
  readonly renew: (key: string, holder: string, until: Date) => Promise<void>
  readonly keep: (claim: Pick<Claim, 'key' | 'holder' | 'request'>, answer: KeptAnswer) => Promise<void>
  readonly giveBack: (key: string, holder: string) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** A request under a key. */
export interface Idempotent {
  readonly key: string
  readonly holder: string
  /** Hash of what is asked; null until a file is read. */
  request: string | null
  /** The first answer, where there is one that this request must be compared with. */
  readonly found: Found | null
  renewal: NodeJS.Timeout | null
}

/** Where two tries of one request differ in what is not asked by it. */
export interface Repeats {
  /** What of a body is asked. */
  asked(body: unknown): unknown
  /** Whether an answer tells of what was made, and is kept. */
  isMade(answer: string): boolean
  /** The first answer, as that to another try. */
  again(answer: string, body: unknown): string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the caller named a key on a route that makes something. */
    idempotent: Idempotent | null
  }
  interface FastifyContextConfig {
    /** Its answer has a secret that is shown once: the answer is not kept. */
    shownOnce?: true
    /** Its body is a file, told to `sameFile` once it is read. */
    readsFile?: true
    /** Else the whole body is asked, and what succeeded is answered again as it was. */
    repeats?: Repeats
  }
}

/** Every POST whose success is 201 or 202 makes something, so that a new route cannot be forgotten. */
export function makesSomething(method: string | string[], schema: FastifySchema | undefined): boolean {
  const response = (schema?.response ?? {}) as Record<string, unknown>
  return [method].flat().includes('POST') && ('201' in response || '202' in response)
}

const visible = /^[\x21-\x7e]{1,255}$/
/** A process that died must not block its key for long; one that lives renews. */
const leaseMs = 60_000
const renewMs = 20_000
/** As long as a 503 asks its caller to wait. */
const afterFaultMs = 5_000
const keptHeaders = ['content-type', 'etag', 'location']
const sha256 = (parts: readonly unknown[]) => hash('sha256', JSON.stringify(parts), 'hex')

/** Thrown through a handler that has read a file which was sent before. */
class Replayed extends Error {
  readonly answer: KeptAnswer
  constructor(answer: KeptAnswer) {
    super('sent before')
    this.answer = answer
  }
}

export function registerIdempotency(app: FastifyInstance, ports: IdempotencyPorts) {
  app.decorateRequest('idempotent', null)
  app.addHook('onRoute', (route) => {
    if (!makesSomething(route.method, route.schema)) return
    // Few bring a key: for the others no promise is made.
    const claims: preHandlerHookHandler = (request, reply, done) => {
      if (request.headers['idempotency-key'] === undefined) return done()
      claim(request, reply, ports).then((answered) => answered === undefined && done(), done)
    }
    const settles: onSendHookHandler = (request, reply, payload, done) => {
      if (!request.idempotent) return done(null, payload)
      settle(request, reply, payload, ports).then(() => done(null, payload), done)
    }
    route.preHandler = [...[route.preHandler ?? []].flat(), claims]
    route.onSend = [...[route.onSend ?? []].flat(), settles]
  })
}

async function claim(request: FastifyRequest, reply: FastifyReply, ports: IdempotencyPorts): Promise<unknown> {
  const named = request.headers['idempotency-key']
  if (named === undefined) return
  if (typeof named !== 'string' || !visible.test(named))
    throw new Refusal(400, 'Idempotency-Key is 1 to 255 visible ASCII characters')
  const { bearer, person } = request
  const own = person?.local?.workspace ?? ''
  const key = sha256(bearer ? [bearer.workspace, bearer.subject, named] : ['', person?.subject, own, named])
  const asked = whatIsAsked(request)
  const { readsFile, repeats } = request.routeOptions.config
  const body = request.body ?? null
  const hashed = readsFile ? null : sha256([...asked, repeats ? repeats.asked(body) : body])
  const holder = randomUUID()
  const until = () => new Date(ports.now().getTime() + leaseMs)
  const found = await ports.take({ key, holder, request: hashed, now: ports.now(), leaseUntil: until() })
  const idempotent: Idempotent = { key, holder, request: hashed, found, renewal: null }
  if (found === null) {
    idempotent.renewal = setInterval(() => void ports.renew(key, holder, until()).catch(ports.onError), renewMs).unref()
    request.idempotent = idempotent
    return
  }
  if (found.request !== null && hashed !== null && found.request !== hashed) throw otherBody()
  if (found.answer === null) {
    reply.header('retry-after', 1)
    throw new Refusal(409, 'A request with this Idempotency-Key is under way; ask again shortly')
  }
  if (hashed === null) {
    request.idempotent = idempotent
    return
  }
  return replay(reply, found.answer, (first) => repeats?.again(first, body) ?? first)
}

/**
 * For routes that read a file, as soon as it is read and before anything is made of it.
 * @throws through the handler what `replayed` answers, or 422 where the key came with another file
 */
export function sameFile(request: FastifyRequest, fileSha256: string): void {
  const { idempotent } = request
  if (!idempotent) return
  idempotent.request = sha256([...whatIsAsked(request), fileSha256])
  const { found } = idempotent
  if (!found?.answer) return
  if (found.request !== idempotent.request) throw otherBody()
  throw new Replayed(found.answer)
}

/** For the handler that `sameFile` threw through. */
export function replayed(error: unknown, reply: FastifyReply): FastifyReply {
  if (!(error instanceof Replayed)) throw error
  return replay(reply, error.answer)
}

/** Headers and membership decide too where a write goes, and what its answer may show. */
const whatIsAsked = ({ method, url, bearer }: FastifyRequest) => [
  method,
  url,
  bearer?.brands === '*' ? '*' : [...(bearer?.brands ?? [])].sort(),
  bearer?.brand ?? null,
  bearer?.catalog ?? null,
]

const otherBody = () =>
  new Refusal(422, 'This Idempotency-Key came with another request before; a new request needs a new key')

function replay(
  reply: FastifyReply,
  { status, headers, body }: KeptAnswer,
  again = (first: string) => first,
): FastifyReply {
  if (body === null)
    throw new Refusal(
      409,
      'The first request with this Idempotency-Key has made it; its secret was shown once. Revoke it and make another',
    )
  return reply
    .code(status)
    .headers({ ...headers, 'idempotency-replayed': 'true' })
    .serializer((text: string) => text)
    .send(again(body))
}

/** What was refused made nothing, so its key is free; only what was made is kept. */
async function settle(request: FastifyRequest, reply: FastifyReply, payload: unknown, ports: IdempotencyPorts) {
  const { idempotent } = request
  if (!idempotent?.renewal) return
  clearInterval(idempotent.renewal)
  const { key, holder } = idempotent
  const status = reply.statusCode
  try {
    // Nobody knows what was made: the handler may even go on. Its retry runs a little later, and meets what is there.
    if (status >= 500) return await ports.renew(key, holder, new Date(ports.now().getTime() + afterFaultMs))
    const { repeats, shownOnce } = request.routeOptions.config
    const isMade = status < 300 && typeof payload === 'string' && (repeats?.isMade(payload) ?? true)
    if (!isMade) return await ports.giveBack(key, holder)
    const headers = Object.fromEntries(
      keptHeaders.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])),
    )
    const body = shownOnce ? null : payload
    await ports.keep(idempotent, { status, headers, body })
  } catch (error) {
    // What was made is answered for; what is not kept runs out with its lease.
    ports.onError(error)
  }
}
