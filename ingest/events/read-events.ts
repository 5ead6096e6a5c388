/** Reads a body of events: one, an array, or one a line. */

export class EventsUnread extends Error {}

/** Each as it was sent; one that is no JSON is in its place as what was wrong with it. */
export type SentEvent = { readonly value: unknown } | { readonly unread: string }

/**
 * @param lines whether it was sent as NDJSON
 * @throws EventsUnread where the body is no JSON at all
 */
export function readEvents(body: string, lines: boolean): readonly SentEvent[] {
  const text = body.replace(/^\ufeff/, '')
  if (lines) return text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [readLine(line)]))
  try {
    const value: unknown = JSON.parse(text)
    return (Array.isArray(value) ? value : [value]).map((one) => ({ value: one }))
  } catch (error) {
    throw new EventsUnread(`The body is no JSON: ${(error as Error).message}`)
  }
}

function readLine(line: string): SentEvent {
  try {
    return { value: JSON.parse(line) }
  } catch {
    return { unread: 'the line is no JSON' }
  }
}
