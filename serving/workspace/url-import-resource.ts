/** What became of one address of a URL import, as callers read it. */
import { z } from 'zod'
import type { UrlItem } from '../../infra/catalog/url-import-items.ts'
import { productId } from '../../schemas/ids.ts'

const value = z.union([z.string(), z.array(z.string())])

export const importedAddress = z.object({
  address: z.string(),
  /** stopped: the job ended before its turn. */
  state: z.enum(['waiting', 'reading', 'imported', 'failed', 'stopped']),
  result: z.enum(['created', 'updated', 'unchanged']).nullable(),
  productId: productId.nullable(),
  /** From which the page came, after redirects. */
  url: z.string().nullable(),
  encoding: z.string().nullable(),
  /** By our field names; long values are cut. */
  fields: z.record(z.string(), z.object({ value, source: z.string() })),
  /** Where parts of the page say different things. */
  conflicts: z.array(
    z.object({ field: z.string(), kept: z.string(), from: z.string(), other: z.string(), otherFrom: z.string() }),
  ),
  problems: z.array(z.object({ code: z.string(), says: z.string() })),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  finishedAt: z.iso.datetime().nullable(),
})
type ImportedAddress = z.infer<typeof importedAddress>

/** @param ended whether the job has: what still waits then is never done */
export function toImportedAddress(item: UrlItem, ended: boolean): ImportedAddress {
  const { address, state, reading, code, says } = item
  return {
    address,
    state: state === 'waiting' ? (ended ? 'stopped' : 'waiting') : state === 'appended' ? 'reading' : state,
    result: item.result as ImportedAddress['result'],
    productId: item.product,
    url: reading?.url ?? null,
    encoding: reading?.encoding ?? null,
    fields: Object.fromEntries(
      Object.entries(reading?.fields ?? {}).map(([name, field]) => [
        name,
        { ...field, value: typeof field.value === 'string' ? field.value : [...field.value] },
      ]),
    ),
    conflicts: [...(reading?.conflicts ?? [])],
    problems: [...(reading?.notes ?? [])],
    error: code === null ? null : { code, message: says ?? '' },
    finishedAt: item.finishedAt?.toISOString() ?? null,
  }
}
