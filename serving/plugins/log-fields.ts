/** What the log says of a request: never a credential, wherever its sender put it. */
import type { FastifyRequest } from 'fastify'

/** Parameters that people put credentials into, also where we read none of them. */
const secretParameters =
  /([?&;](?:key|api[_-]?key|x-api-key|access[_-]?token|id[_-]?token|token|secret|password|code)=)[^&#;]*/gi

/** Written anywhere: our keys, and what has the form of a JWT. */
const credentials = /ask_\w{8,}|eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g

export const masked = (text: string) => text.replace(secretParameters, '$1***').replace(credentials, '***')

export const logFields = {
  req: ({ method, url, ip }: FastifyRequest) => ({ method, url: masked(url), ip }),
}
