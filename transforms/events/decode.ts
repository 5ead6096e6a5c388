/** Reads an event from the log. */
import { z } from 'zod'
import { type AgentEvent, eventType, numberFields } from '../../schemas/event.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'

const text = z.string()
const stored = z.object({
  v: z.literal(1),
  id: z.uuid(),
  type: eventType,
  time: z.iso.datetime(),
  received: z.iso.datetime(),
  workspace: workspaceId,
  brand: brandId,
  catalog: z.uuid().optional(),
  product: text.optional(),
  session: text.optional(),
  agent: z
    .object({ id: text.optional(), name: text.optional(), version: text.optional(), kind: text.optional() })
    .optional(),
  customer: text.optional(),
  numbers: z.partialRecord(z.enum(numberFields), z.string().regex(/^-?\d{1,15}(\.\d{1,9})?$/)).optional(),
  currency: text.optional(),
  metadata: z.record(z.string(), text).optional(),
})

/** @returns what is wrong with it, where it is none */
export function decodeEvent(value: Buffer): AgentEvent | { readonly unread: string } {
  try {
    const read = stored.safeParse(JSON.parse(value.toString('utf8')))
    if (read.success) return read.data as AgentEvent
    const [issue] = read.error.issues
    return { unread: `${issue?.path.join('.')}: ${issue?.message}` }
  } catch {
    return { unread: 'it is no JSON' }
  }
}
