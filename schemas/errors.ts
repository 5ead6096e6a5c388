/** Every error that Assay can answer with: its code, its status and the text that callers see. */

const table = {
  BAD_REQUEST: [400, 'The request is not valid'],
  INVALID_REQUEST: [400, 'The request is not valid'],
  VALIDATION_ERROR: [400, 'The request is not valid'],
  UNAUTHORIZED: [401, 'A valid bearer token is required'],
  FORBIDDEN: [403, 'You may not do this'],
  PLAN_LIMIT: [403, 'The limit of the plan is reached'],
  INSUFFICIENT_PERMISSIONS: [403, 'Insufficient permissions'],
  NOT_FOUND: [404, 'Not found'],
  CATALOG_NOT_FOUND: [404, 'Catalog not found'],
  CATALOG_NOT_PUBLISHED: [404, 'The catalog has no published version'],
  CONFLICT: [409, 'The request conflicts with the present state'],
  JOB_ALREADY_RUNNING: [409, 'A batch job is already in progress'],
  RATE_LIMITED: [429, 'Too many requests'],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests'],
  INTERNAL: [500, 'Internal server error'],
  INTERNAL_SERVER_ERROR: [500, 'Internal server error'],
  AUTH_001: [401, 'Missing API key'],
  AUTH_002: [401, 'Invalid API key'],
  AUTH_003: [403, 'Insufficient permissions'],
  AUTH_004: [403, 'Workspace access denied'],
  RATE_001: [429, 'Rate limit exceeded'],
  RATE_002: [429, 'Concurrent request limit'],
  SEARCH_001: [400, 'Invalid query parameters'],
  SEARCH_002: [400, 'Query too long'],
  FEED_001: [400, 'Unsupported platform'],
  FEED_002: [404, 'Feed not found'],
  FEED_003: [422, 'Feed validation failed'],
  DATA_001: [404, 'Product not found'],
  DATA_002: [404, 'Catalog not found'],
  DATA_003: [409, 'Duplicate entity'],
  DATA_004: [422, 'Invalid product data'],
  MCP_001: [400, 'Unknown tool'],
  MCP_002: [400, 'Invalid tool parameters'],
  SERVER_001: [500, 'Internal server error'],
  SERVER_002: [503, 'Service unavailable'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof table

/** An error that is meant for the caller. What only operators may see goes into `cause`, which is logged and never sent. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly field: string | undefined

  /** @param detail.status where the code's own says too little, as 413 under INVALID_REQUEST */
  constructor(code: ErrorCode, detail: { message?: string; field?: string; status?: number; cause?: unknown } = {}) {
    const [status, message] = table[code]
    super(detail.message ?? message, { cause: detail.cause })
    this.code = code
    this.status = detail.status ?? status
    this.field = detail.field
  }
}
