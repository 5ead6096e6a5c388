/** What the API document says, in the shape that tests walk over. */
import { z } from 'zod'
import type { Running } from '../running.ts'

interface Media {
  readonly schema: z.core.JSONSchema.JSONSchema
  readonly example?: unknown
}
type Content = Readonly<Record<string, Media>>

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: z.core.JSONSchema.JSONSchema
  readonly example?: unknown
}

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly action: string | undefined
  readonly summary: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  /** Of path and query; those in headers are shared. */
  readonly parameters: readonly Parameter[]
  readonly body: { readonly required: boolean; readonly content: Content } | null
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of the document
export type ApiDocument = any

export async function readDocument(assay: Pick<Running, 'call'>): Promise<ApiDocument> {
  return (await assay.call('GET', '/openapi.json', undefined, { authorization: '' })).body
}

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries<Record<string, ApiDocument>>(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, one]) => ({
      method: method.toUpperCase() as Operation['method'],
      path,
      action: one['x-action'],
      summary: one.summary,
      tags: one.tags,
      security: one.security,
      parameters: one.parameters.filter((parameter: ApiDocument) => parameter.$ref === undefined),
      body: one.requestBody ?? null,
      responses: one.responses,
    })),
  )
}

/** To make one takes longer than most answers that are held to it. */
const checks = new WeakMap<object, z.ZodType>()

/** The schema with the document's shared parts beside it, as a check of values. */
export function checkOf(document: ApiDocument, schema: z.core.JSONSchema.JSONSchema): z.ZodType {
  const known = checks.get(schema)
  if (known) return known
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')
  const check = z.fromJSONSchema({ ...JSON.parse(text), $defs: document.components.schemas })
  checks.set(schema, check)
  return check
}

/** @param values by parameter; those that are missing take their example */
export function pathOf({ path, parameters }: Operation, values: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((one) => one.in === 'path' && one.name === name)?.example
    return encodeURIComponent(values[name] ?? String(example))
  })
}
