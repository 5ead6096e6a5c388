/** Reads an event from the log. */
import { type AgentEvent, storedEvent } from '../../schemas/event.ts'

/** @returns what is wrong with it, where it is none */
export function decodeEvent(value: Buffer): AgentEvent | { readonly unread: string } {
  try {
    const read = storedEvent.safeParse(JSON.parse(value.toString('utf8')))
    if (read.success) return read.data as AgentEvent
    const [issue] = read.error.issues
    return { unread: `${issue?.path.join('.')}: ${issue?.message}` }
  } catch {
    return { unread: 'it is no JSON' }
  }
}
