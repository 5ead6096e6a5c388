/** POST /api/v1/events: takes what agents did, one event, an array or one a line, from servers and from browsers. */
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ServiceError } from '../../schemas/errors.ts'
import { eventInput, largestEventsBytes, mostEvents } from '../../schemas/event.ts'
import type { Refused } from './collect-events.ts'
import { EventsUnread, readEvents, type SentEvent, TooManyEvents } from './read-events.ts'

export interface EventPorts {
  /** Durable when it resolves. */
  readonly collect: (
    request: FastifyRequest,
    sent: readonly SentEvent[],
  ) => Promise<{ readonly accepted: number; readonly refused: readonly Refused[] }>
  /** Told what was read, for callers who name an `Idempotency-Key`; throws what `replayed` answers where it was read before. */
  readonly sameFile: (request: FastifyRequest, sha256: string) => void
  readonly replayed: (error: unknown, reply: FastifyReply) => FastifyReply
}

const path = '/api/v1/events'
const example = {
  type: 'product_view',
  time: '2026-11-27T10:00:00.000Z',
  product_id: 'MUG-1',
  session_id: 's-41',
  agent: { name: 'ChatGPT' },
}
const ndjson = /^\s*application\/(x-)?(ndjson|jsonl|jsonlines)\s*(;|$)/i

export const events: FastifyPluginAsyncZod<EventPorts> = async (app, { collect, sameFile, replayed }) => {
  // A bad event must not cost the good ones beside it, so nothing reads the body before they are apart.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  // Pages of any shop send events; what opens the door is the key, and it opens nothing else.
  const open = (reply: FastifyReply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-expose-headers', 'Retry-After, Idempotency-Replayed')
  // With refusals too: a page may read why.
  app.addHook('onSend', async (_request, reply) => {
    open(reply)
  })
  app.options(path, { config: { preflight: true } }, async (_request, reply) =>
    open(reply)
      .header('access-control-allow-methods', 'POST')
      .header(
        'access-control-allow-headers',
        'Authorization, Content-Encoding, Content-Type, Idempotency-Key, X-Api-Key, X-Active-Brand',
      )
      .header('access-control-max-age', '7200')
      .code(204)
      .send(),
  )

  app.post(
    path,
    {
      config: { action: 'events:write', unpacks: true, readsFile: true },
      bodyLimit: largestEventsBytes,
      schema: {
        summary: 'Take events of agents',
        description: `One event, an array, or one a line (application/x-ndjson), up to ${mostEvents}; gzip is read. An event is taken or refused by itself, and what is refused is named by its index. An event has the time that it names, else that of its id (UUID version 7), else now; one that is sent again with its id and time counts once. For pages in browsers make a key with the scope events:write alone.`,
        tags: ['Events'],
        errors: [
          { code: 'BAD_REQUEST', status: 413 },
          { code: 'BAD_REQUEST', status: 415 },
        ],
        bodies: [
          { type: 'application/json', schema: z.union([eventInput, z.array(eventInput)]), example },
          { type: 'application/x-ndjson', schema: z.string(), example: `${JSON.stringify(example)}\n` },
        ],
        examples: { answer: { accepted: 1, refused: [] } },
        response: {
          202: z.object({
            accepted: z.int(),
            refused: z.array(z.object({ index: z.int(), field: z.string().optional(), message: z.string() })),
          }),
        },
      },
    },
    async (request, reply) => {
      const body = await bodyOf(request)
      try {
        // Who names no key asks for no hash of what he sends.
        if (request.headers['idempotency-key'] !== undefined) sameFile(request, hash('sha256', body, 'hex'))
      } catch (error) {
        return replayed(error, reply)
      }
      const sent = await eventsIn(body, request)
      const taken = await collect(request, sent)
      const [first] = taken.refused
      if (taken.accepted === 0 && first)
        throw new ServiceError('BAD_REQUEST', {
          message: `No event was taken; event ${first.index}${first.field ? `, ${first.field}` : ''}: ${first.message}`,
          ...(first.field && { field: first.field }),
        })
      return reply.code(202).send({ accepted: taken.accepted, refused: [...taken.refused] })
    },
  )
}

async function bodyOf(request: FastifyRequest): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const isPacked = encoding === 'gzip' || encoding === 'x-gzip'
  if (!isPacked && encoding !== 'identity')
    throw new ServiceError('BAD_REQUEST', { message: 'Of content encodings gzip is read', status: 415 })
  const raw = request.body as Readable | null | undefined
  if (!raw) return Buffer.alloc(0)
  return limited(isPacked ? unpacked(raw) : raw).catch((cause: unknown) => {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError('BAD_REQUEST', { message: 'The body could not be read to its end', cause })
  })
}

async function eventsIn(body: Buffer, { headers }: FastifyRequest): Promise<readonly SentEvent[]> {
  // Decoding would put U+FFFD in place of what was meant.
  if (!isUtf8(body)) throw new ServiceError('BAD_REQUEST', { message: 'The body is not UTF-8' })
  try {
    const sent = body.length === 0 ? [] : await readEvents(body, ndjson.test(headers['content-type'] ?? ''))
    if (sent.length > 0) return sent
  } catch (error) {
    if (error instanceof TooManyEvents) throw new ServiceError('BAD_REQUEST', { message: error.message, status: 413 })
    if (error instanceof EventsUnread) throw new ServiceError('BAD_REQUEST', { message: error.message })
    throw error
  }
  throw new ServiceError('BAD_REQUEST', { message: 'There is no event in the body' })
}

function unpacked(raw: Readable): Readable {
  const gunzip = createGunzip()
  raw.once('error', (error) => gunzip.destroy(error))
  return raw.pipe(gunzip)
}

/** What a small body unpacks to is bounded too. */
async function limited(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length
    if (bytes > largestEventsBytes)
      throw new ServiceError('BAD_REQUEST', {
        message: `Events of one request have at most ${largestEventsBytes} bytes`,
        status: 413,
      })
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks, bytes)
}
