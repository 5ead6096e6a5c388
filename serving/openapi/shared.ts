/** The parts of the document that routes share: both error forms, headers, and the ways to say who is asking. */

const text = { type: 'string' }
const whole = { type: 'integer', minimum: 0 }

export const schemas = {
  StandardError: {
    type: 'object',
    description: 'Errors of all but workspace and hub endpoints, and of what is no endpoint.',
    required: ['error'],
    additionalProperties: false,
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'request_id'],
        additionalProperties: false,
        properties: { code: text, message: text, request_id: text },
      },
    },
    examples: [
      { error: { code: 'NOT_FOUND', message: 'Not found', request_id: '7d0d2a52-6c3e-4a53-9bb4-04a6f5b1c0de' } },
    ],
  },
  SamplesError: {
    type: 'object',
    description: 'Errors of workspace and hub endpoints.',
    required: ['error', 'details'],
    additionalProperties: false,
    properties: {
      error: text,
      details: {
        type: 'object',
        required: ['message', 'request_id'],
        additionalProperties: false,
        properties: {
          message: text,
          field: { ...text, description: 'The part of the request that is not right.' },
          request_id: text,
        },
      },
    },
    examples: [
      {
        error: 'INVALID_REQUEST',
        details: {
          message: 'query limit: is not valid',
          field: 'limit',
          request_id: '7d0d2a52-6c3e-4a53-9bb4-04a6f5b1c0de',
        },
      },
    ],
  },
}

const header = (description: string, schema: object) => ({ description, schema })

export const headers = {
  'X-Request-Id': header("The request's own id where it is sane, else a new UUID.", text),
  'X-RateLimit-Limit': header('Requests in a window.', whole),
  'X-RateLimit-Remaining': header('Requests left in this window.', whole),
  'X-RateLimit-Reset': header('End of this window, epoch seconds.', whole),
  ETag: header('Names the state that is shown, for `If-Match`.', text),
  'Retry-After': header('Seconds after which to ask again.', whole),
  'Idempotency-Replayed': header('`true` where the answer is that of an earlier request with this key.', text),
  'WWW-Authenticate': header('How to say who is asking.', text),
}

export const parameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Comes back on the answer: 1 to 128 visible ASCII characters; any other value is replaced.',
    schema: text,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key with the same request makes nothing anew and gets the first answer again, for 24 hours; with another request it is 422, and while the first is under way 409. What was refused leaves its key free.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the state that is meant, several of them, or `*`; in any other state the answer is 412.',
    schema: text,
  },
  ActiveBrand: {
    name: 'X-Active-Brand',
    in: 'header',
    description: 'The brand that the request is about, a UUID; `all` on lists, for those who have all brands.',
    schema: { anyOf: [{ type: 'string', format: 'uuid' }, { const: 'all' }] },
  },
  ActiveCatalog: {
    name: 'X-Active-Catalog',
    in: 'header',
    description: 'Narrows the request to one catalog.',
    schema: { type: 'string', format: 'uuid' },
  },
}

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A token of the identity provider, of a person or of a machine. An API key may stand here too, but on `/api/v1/*`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key with the scope. On feeds and tools keys are legacy: machine tokens replace them.',
  },
}
