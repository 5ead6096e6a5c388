/** What a call that failed answers: a result that says so, with our code, and what of it was wrong. */
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import type { ToolAnswer } from './tool.ts'

export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly field?: string
  readonly details?: readonly { readonly field: string; readonly message: string }[]
}

/** What routes of a workspace call otherwise; interface.md has these for the tool channel. */
const spoken: Readonly<Partial<Record<ErrorCode, ErrorCode>>> = {
  NOT_FOUND: 'DATA_001',
  CATALOG_NOT_FOUND: 'DATA_002',
  CATALOG_NOT_PUBLISHED: 'DATA_002',
  FEED_002: 'DATA_002',
  INVALID_REQUEST: 'MCP_002',
  BAD_REQUEST: 'MCP_002',
  VALIDATION_ERROR: 'MCP_002',
  FORBIDDEN: 'AUTH_003',
  INSUFFICIENT_PERMISSIONS: 'AUTH_003',
  CONFLICT: 'DATA_003',
}

/** What routes name otherwise than tools do. */
const argumentOf = new Map([
  ['after', 'cursor'],
  ['q', 'query'],
  ['productId', 'product_id'],
])

/** What nobody meant for callers. */
export const unforeseen = {
  code: 'SERVER_001',
  message: 'Internal server error; retry with backoff',
} as const satisfies Failure

/** @returns null for what nobody meant for callers */
export function failureOf(error: unknown, isStoreAway: (error: unknown) => boolean): Failure | null {
  if (error instanceof ServiceError) {
    const { field: named = '' } = error
    const field = argumentOf.get(named) ?? named
    const message = error.message.startsWith(`${named} `) ? field + error.message.slice(named.length) : error.message
    const code = spoken[error.code] ?? error.code
    const details = code === 'DATA_004' ? { details: [{ field: field || 'product', message }] } : {}
    return { code, message, ...(field && { field }), ...details }
  }
  if (isStoreAway(error)) return { code: 'SERVER_002', message: 'A store is away; try again shortly' }
  return null
}

/** Not as `structuredContent`: clients of the former major hold that against the tool's output, and would lose what it says. */
export const failed = (error: Failure): ToolAnswer => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ error }) }],
  _meta: { 'assay/error': error },
})
