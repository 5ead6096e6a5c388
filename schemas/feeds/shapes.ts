/** What values of a line look like, as JSON Schema. */
export type Shape = Readonly<Record<string, unknown>>

/** Lengths are code points, as platforms count. */
export const textShape = (limit?: number): Shape => ({
  type: 'string',
  pattern: '\\S',
  ...(limit !== undefined && { maxLength: limit }),
})

export const addressShape = (limit: number): Shape => ({
  type: 'string',
  pattern: '^[hH][tT][tT][pP][sS]?://[!-~]+$',
  maxLength: limit,
})

export const moneyShape: Shape = { type: 'string', pattern: '^\\d+(?:\\.\\d+)? [A-Z]{3}$' }
export const amountShape: Shape = { type: 'string', pattern: '^\\d+(?:\\.\\d+)?$' }
export const gtinShape: Shape = { type: 'string', pattern: '^(?:\\d{8}|\\d{12,14})$' }

export const matchShape = (pattern: string): Shape => ({ type: 'string', pattern })
export const wordShape = (words: readonly string[]): Shape => ({ type: 'string', enum: [...new Set(words)] })

export const listShape = (items: Shape, most?: number): Shape => ({
  type: 'array',
  items,
  minItems: 1,
  ...(most !== undefined && { maxItems: most }),
})

/** With the named members and no others. */
export const objectShape = (properties: Readonly<Record<string, Shape>>, required: readonly string[]): Shape => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
