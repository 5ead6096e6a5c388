/** Knows an event of the log that is whole: of one that Assay wrote the schema, which says of any other what is wrong with it, would find nothing, and take five times as long. */
import { type AgentEvent, numberFields } from '../../schemas/event.ts'
import { canonicalLength, utcInstant } from '../../schemas/instant.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const word = /^[a-z][a-z0-9_]{1,62}$/
const workspace = /^ws_[a-z0-9]+$/
const amount = /^-?\d{1,15}(\.\d{1,9})?$/
const amounts: ReadonlySet<string> = new Set(numberFields)

const isText = (value: unknown) => typeof value === 'string'
const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string'
const isMoment = (value: unknown) =>
  typeof value === 'string' && value.length === canonicalLength && utcInstant.test(value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function areTexts(value: unknown): boolean {
  if (!isObject(value)) return false
  for (const name in value) if (typeof value[name] !== 'string') return false
  return true
}

function areNumbers(value: unknown): boolean {
  if (!isObject(value)) return false
  for (const name in value) {
    const one = value[name]
    if (typeof one !== 'string' || !amount.test(one) || !amounts.has(name)) return false
  }
  return true
}

/** What it has beside its fields is looked at by nobody. */
export function isWholeEvent(value: unknown): value is AgentEvent {
  if (!isObject(value) || value.v !== 1) return false
  const { id, type, brand, catalog, products, agent, numbers, metadata } = value
  return (
    typeof id === 'string' &&
    uuid.test(id) &&
    typeof type === 'string' &&
    word.test(type) &&
    isMoment(value.time) &&
    isMoment(value.received) &&
    typeof value.workspace === 'string' &&
    workspace.test(value.workspace) &&
    typeof brand === 'string' &&
    uuid.test(brand) &&
    (catalog === undefined || (typeof catalog === 'string' && uuid.test(catalog))) &&
    isTextOrNone(value.product) &&
    isTextOrNone(value.session) &&
    isTextOrNone(value.customer) &&
    isTextOrNone(value.currency) &&
    (products === undefined || (Array.isArray(products) && products.every(isText))) &&
    (agent === undefined || areTexts(agent)) &&
    (numbers === undefined || areNumbers(numbers)) &&
    (metadata === undefined || areTexts(metadata))
  )
}
