/** Refuses requests that are made to be dear: packed bodies, deep JSON, keys that reach for prototypes, headers without number; and JSON that is no UTF-8. */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

/** Browsers and proxies send about thirty; Node itself drops in silence what is beyond its own limit. */
const mostHeaders = 100
/** Attributes are free in form; nothing that is meant for reading nests deeper. */
const deepest = 64

/** What a refused sender has to read its answer before the rest of its body is cut off. */
const lingerMs = 2_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads packed bodies, and bounds what they unpack to. */
    unpacks?: true
  }
}

export function registerHardening(app: FastifyInstance) {
  // Answered before the body came to its end: nobody reads on, so the connection must not be held by it.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (raw.complete === false && !raw.destroyed) {
      const { socket } = raw
      setTimeout(() => {
        if (!raw.complete) socket.destroy()
      }, lingerMs).unref()
    }
    done()
  })
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.rawHeaders.length > 2 * mostHeaders)
      throw new Refusal(431, `A request may have at most ${mostHeaders} headers`)
    done()
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    // A kilobyte may unpack to a gigabyte: nothing is unpacked.
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding.toLowerCase() === 'identity' || request.routeOptions.config.unpacks)
      return done()
    reply.header('accept-encoding', 'identity')
    throw new Refusal(415, 'Bodies are taken as they are; send it without Content-Encoding')
  })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Clients name a JSON body also where they send none, as on DELETE: that is no body, not a broken one.
    if (body.length === 0) return done(null, undefined)
    try {
      return parse(request, jsonText(request, body), done)
    } catch (refusal) {
      return done(refusal as Refusal, undefined)
    }
  })
}

/** The text of a body that may be parsed. @throws Refusal */
export function jsonText({ headers }: FastifyRequest, body: Buffer): string {
  const charset = charsetOf(headers['content-type'])
  if (charset !== null && !/^utf-?8$/i.test(charset))
    throw new Refusal(415, 'JSON is taken as UTF-8 only; send it so, or leave the charset out')
  // Decoding would put U+FFFD in place of what was meant, and keep it as data.
  if (!isUtf8(body)) throw new Refusal(400, 'The body is not UTF-8')
  const json = body.toString('utf8')
  // What is short cannot be deep: each level is opened and closed.
  if (json.length > 2 * deepest && depthOf(json) > deepest)
    throw new Refusal(400, `JSON may nest at most ${deepest} deep`)
  return json
}

const charsetOf = (type: string | undefined) => /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type ?? '')?.[1] ?? null

/** Read off the text, before anything is built from it. */
function depthOf(json: string): number {
  let depth = 0
  let most = 0
  let inText = false
  for (let i = 0; i < json.length; i++) {
    const c = json[i]
    if (inText) {
      if (c === '\\') i++
      else if (c === '"') inText = false
    } else if (c === '"') inText = true
    else if (c === '{' || c === '[') most = Math.max(most, ++depth)
    else if (c === '}' || c === ']') depth--
  }
  return most
}
