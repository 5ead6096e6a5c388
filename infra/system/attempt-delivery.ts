/** One attempt to deliver: signs the bytes, sends them, and says what came of it; what is wrong is an answer, never thrown. */
import { EgressError } from '../../schemas/egress-error.ts'
import { acknowledgedWithinMs, keptAnswerBytes } from '../../schemas/webhook.ts'
import { serviceSignature, standardSignature } from '../../serving/webhooks/sign.ts'
import type { NotedAttempt } from '../catalog/delivery-notes.ts'
import type { Egress } from '../egress/open-egress.ts'
import { SealError } from '../seal.ts'

export interface Letter {
  /** The same however often it is sent: receivers know a repeat by it. */
  readonly id: string
  readonly url: string
  readonly kind: string
  readonly sequence: number | null
  readonly position: string | null
  readonly attempt: number
  readonly body: string
}

/** @param former signs beside the one in force while they overlap */
export interface Secrets {
  readonly inForce: string
  readonly former: string | null
}

/** Who is slow to send the rest of an answer has acknowledged all the same. */
const restMs = 1_000
/** Nobody needs more of them to see what a receiver is. */
const mostHeaders = 50

function headersOf(
  { id, kind, sequence, position, attempt, body }: Letter,
  { inForce, former }: Secrets,
  at: Date,
): Record<string, string> {
  const bytes = Buffer.from(body)
  const seconds = Math.floor(at.getTime() / 1_000)
  const all = former === null ? [inForce] : [inForce, former]
  return {
    'content-type': 'application/json',
    'user-agent': 'Assay-Webhooks/1.0',
    'accept-encoding': 'identity',
    // A receiver that knows one secret reads this header alone: until the overlap ends it is the former one's.
    'x-service-signature': serviceSignature(former ?? inForce, bytes),
    ...(former === null ? {} : { 'x-service-signature-next': serviceSignature(inForce, bytes) }),
    'x-service-event': kind,
    ...(sequence === null ? {} : { 'x-service-sequence': String(sequence) }),
    ...(position === null ? {} : { 'x-service-position': position }),
    'x-service-attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': all.map((secret) => standardSignature(secret, id, seconds, bytes)).join(' '),
  }
}

/** @param at by the clock of deliveries; how long it took is measured */
export async function attemptDelivery(
  egress: Pick<Egress, 'ask'>,
  letter: Letter,
  secrets: () => Secrets,
  { at, signal, withinMs = acknowledgedWithinMs }: { at: Date; signal?: AbortSignal; withinMs?: number },
): Promise<NotedAttempt> {
  const began = performance.now()
  const taken = () => Math.round(performance.now() - began)
  let headers: Record<string, string> = {}
  try {
    headers = headersOf(letter, secrets(), at)
    const asked = {
      method: 'POST' as const,
      body: letter.body,
      headers,
      maxBytes: Number.MAX_SAFE_INTEGER,
      withinMs,
      keep: true,
    }
    return await egress.ask(
      letter.url,
      { ...asked, ...(signal ? { signal } : {}) },
      async ({ status, headers: came, body }) => {
        const ms = taken()
        const answerHeaders = Object.fromEntries(
          Object.entries(came)
            .slice(0, mostHeaders)
            .map(([name, value]) => [name, plain(String(value)).slice(0, 500)]),
        )
        const error =
          status >= 200 && status < 300 ? null : { code: 'refused', message: `The receiver answered ${status}` }
        return { at, ms, status, error, requestHeaders: headers, answerHeaders, answer: await beginningOf(body) }
      },
    )
  } catch (error) {
    signal?.throwIfAborted()
    return {
      at,
      ms: taken(),
      status: null,
      error: causeOf(error),
      requestHeaders: headers,
      answerHeaders: null,
      answer: null,
    }
  }
}

/** Why no answer came. */
function causeOf(error: unknown): { code: string; message: string } {
  if (error instanceof SealError)
    return { code: 'sealed_secret', message: `The signing secret cannot be opened. ${error.message}` }
  if (error instanceof EgressError) return { code: error.code, message: error.message }
  return { code: 'unreachable', message: 'The receiver could not be asked' }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const read = async () => {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= keptAnswerBytes) return
    }
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, restMs)
  })
  // Its status has said all that counts.
  await Promise.race([read().catch(() => {}), late]).finally(() => clearTimeout(timer))
  return plain(Buffer.concat(chunks).subarray(0, keptAnswerBytes).toString())
}

/** No text of ours can hold it. */
const plain = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()
