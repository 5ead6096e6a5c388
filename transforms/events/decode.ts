/** Reads an event from the log. */
import type { DeadKind } from '../../schemas/dead-letter.ts'
import { type AgentEvent, storedEvent } from '../../schemas/event.ts'
import { isWholeEvent } from './whole-event.ts'

/** @returns what is wrong with it, where it is none */
export function decodeEvent(value: Buffer): AgentEvent | { readonly unread: string; readonly as: DeadKind } {
  try {
    const event: unknown = JSON.parse(value.toString('utf8'))
    if (isWholeEvent(event)) return event
    const read = storedEvent.safeParse(event)
    if (read.success) return read.data as AgentEvent
    const [issue] = read.error.issues
    const as = issue?.path[0] === 'v' ? 'unknown_version' : 'invalid_record'
    return { unread: `${issue?.path.join('.')}: ${issue?.message}`, as }
  } catch {
    return { unread: 'it is no JSON', as: 'not_json' }
  }
}
