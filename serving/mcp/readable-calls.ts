/** Calls with arguments that the protocol's library refuses or leaves out: they are carried past it, for the tool says what is wrong, under our code. */

type Fields = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const carried = 'assay/arguments'

/** @param body a message, or a batch of them */
export const readableCalls = (body: unknown): unknown => (Array.isArray(body) ? body.map(readable) : readable(body))

function readable(message: unknown): unknown {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params)) return message
  const { arguments: args, ...params } = message.params
  if (args === undefined || (isRecord(args) && !Object.hasOwn(args, '__proto__'))) return message
  return { ...message, params: { ...params, arguments: { [carried]: args } } }
}

/** Arguments as the caller gave them. Models that have nothing to say say null. */
export function givenArguments(args: unknown): unknown {
  const given = isRecord(args) && Object.hasOwn(args, carried) ? args[carried] : args
  return given ?? {}
}
