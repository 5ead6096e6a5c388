/** An event of the log as a line for the event store, tab-separated: half the bytes of JSON, made and read in half the time. */
import { type AgentEvent, numberFields } from '../../schemas/event.ts'
import { type EventPlace, noId, storeTime } from '../../schemas/event-row.ts'

const special = /[\\\t\n\r']/
const all = /[\\\t\n\r']/g
const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (one: string) => escapes[one] ?? `\\${one}`

/** As it stands in a cell, and between quotes. */
const plain = (text: string | undefined): string => {
  if (text === undefined) return ''
  return special.test(text) ? text.replace(all, escaped) : text
}

const absent = '\\N'
const noNumbers = numberFields.map(() => absent).join('\t')

function numbersOf(numbers: AgentEvent['numbers']): string {
  if (numbers === undefined) return noNumbers
  let cells = numbers[numberFields[0]] ?? absent
  for (let i = 1; i < numberFields.length; i++) cells += `\t${numbers[numberFields[i] as 'value'] ?? absent}`
  return cells
}

function mapOf(texts: AgentEvent['metadata']): string {
  let pairs = ''
  for (const key in texts) pairs += `${pairs === '' ? '' : ','}'${plain(key)}':'${plain(texts[key])}'`
  return `{${pairs}}`
}

const listOf = (texts: readonly string[] | undefined) =>
  texts === undefined ? '[]' : `[${texts.map((text) => `'${plain(text)}'`).join()}]`

/** @returns cells in the order of `eventColumns`, with the newline */
export function eventLine(event: AgentEvent, { stream, rank }: EventPlace): string {
  const { agent } = event
  return (
    `${stream}\t${rank}\t${plain(event.workspace)}\t${event.brand}\t${storeTime(event.time)}\t${event.id}\t${plain(event.type)}\t` +
    `${event.catalog ?? noId}\t${plain(event.product)}\t${listOf(event.products)}\t${plain(event.session)}\t` +
    `${plain(agent?.id)}\t${plain(agent?.name)}\t${plain(agent?.version)}\t${plain(agent?.kind)}\t${plain(event.customer)}\t` +
    `${numbersOf(event.numbers)}\t${plain(event.currency)}\t${mapOf(event.metadata)}\t${storeTime(event.received)}\n`
  )
}
