/** Writes events of the log as lines for the event store, tab-separated, which are half the bytes of JSON; byte by byte, since to put texts together took several times as long. */
import { type AgentEvent, numberFields } from '../../schemas/event.ts'
import type { EventPlace } from '../../schemas/event-row.ts'

export interface LineWriter {
  /** Cells in the order of `eventColumns`. */
  add(event: AgentEvent, place: EventPlace): void
  /** Of all that were added; none can be added after it. */
  bytes(): Uint8Array
}

const [tab, newline, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20]
const [quote, backslash, comma, colon] = [0x27, 0x5c, 0x2c, 0x3a]
const [openList, closeList, open, close] = [0x5b, 0x5d, 0x7b, 0x7d]
const [letterT, letterZ] = ['T'.charCodeAt(0), 'Z'.charCodeAt(0)]
const ascii = 0x80
/** What stands behind a backslash in place of a character, by its code; 0 where it stands for itself. */
const escapes = new Uint8Array(ascii)
escapes[backslash] = backslash
escapes[quote] = quote
escapes[tab] = 't'.charCodeAt(0)
escapes[newline] = 'n'.charCodeAt(0)
escapes[carriageReturn] = 'r'.charCodeAt(0)

/** The store puts what it has for nothing in its place: of an amount null, of an id zeros. */
const absent = '\\N'
const utf8 = new TextEncoder()
/** Of a line as it is usual. */
const lineBytes = 320

/** @returns where those characters end that are beyond ASCII */
function endOfOthers(text: string, from: number): number {
  let to = from + 1
  while (to < text.length && text.charCodeAt(to) >= ascii) to++
  return to
}

/** @param count of the events, about */
export function lineWriter(count: number): LineWriter {
  let bytes = new Uint8Array(count * lineBytes)
  let at = 0

  function room(needed: number): void {
    if (at + needed <= bytes.length) return
    const more = new Uint8Array(Math.max(bytes.length * 2, at + needed))
    more.set(bytes.subarray(0, at))
    bytes = more
  }

  /** Of ids and amounts, which need no escapes. */
  function plain(text: string): void {
    room(text.length)
    const [into, from] = [bytes, at]
    for (let i = 0; i < text.length; i++) into[from + i] = text.charCodeAt(i)
    at += text.length
  }

  function escaped(text: string): void {
    // A character is at most three bytes, or two with a backslash.
    room(text.length * 3)
    const into = bytes
    let to = at
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code >= ascii) {
        const end = endOfOthers(text, i)
        to += utf8.encodeInto(text.slice(i, end), into.subarray(to)).written
        i = end - 1
        continue
      }
      const stands = escapes[code] as number
      if (stands !== 0) into[to++] = backslash
      into[to++] = stands === 0 ? code : stands
    }
    at = to
  }

  function cell(text: string | undefined): void {
    if (text !== undefined) escaped(text)
    room(2)
    bytes[at++] = tab
  }

  function quoted(text: string): void {
    room(3)
    bytes[at++] = quote
    escaped(text)
    room(3)
    bytes[at++] = quote
  }

  /** As the store spells it: ISO 8601 with a blank for T, and without Z. */
  function time(text: string): void {
    room(text.length)
    const into = bytes
    let to = at
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code !== letterZ) into[to++] = code === letterT ? space : code
    }
    at = to
  }

  function plainCell(text: string): void {
    plain(text)
    room(1)
    bytes[at++] = tab
  }

  function list(texts: readonly string[] | undefined): void {
    room(1)
    bytes[at++] = openList
    for (const [i, text] of texts?.entries() ?? []) {
      if (i > 0) bytes[at++] = comma
      quoted(text)
    }
    room(2)
    bytes[at++] = closeList
    bytes[at++] = tab
  }

  function map(texts: AgentEvent['metadata']): void {
    room(1)
    bytes[at++] = open
    let isFirst = true
    for (const key in texts) {
      if (!isFirst) bytes[at++] = comma
      isFirst = false
      quoted(key)
      bytes[at++] = colon
      quoted(texts[key] ?? '')
    }
    room(2)
    bytes[at++] = close
    bytes[at++] = tab
  }

  return {
    add(event, { stream, rank }) {
      const { agent, numbers } = event
      plainCell(stream)
      plainCell(rank)
      cell(event.workspace)
      plainCell(event.brand)
      time(event.time)
      room(1)
      bytes[at++] = tab
      plainCell(event.id)
      cell(event.type)
      plainCell(event.catalog ?? absent)
      cell(event.product)
      list(event.products)
      cell(event.session)
      cell(agent?.id)
      cell(agent?.name)
      cell(agent?.version)
      cell(agent?.kind)
      cell(event.customer)
      for (const name of numberFields) plainCell(numbers?.[name] ?? absent)
      cell(event.currency)
      map(event.metadata)
      time(event.received)
      room(1)
      bytes[at++] = newline
    },
    bytes: () => bytes.subarray(0, at),
  }
}
