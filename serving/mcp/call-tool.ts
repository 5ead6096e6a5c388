/** Calls a tool: arguments checked, the outcome told as an event, and a failure answered as the protocol has it. */

import type { ErrorCode } from '../../schemas/errors.ts'
import type { Tool, ToolAnswer, ToolContext } from './tool.ts'
import { type Failure, failed, failureOf, unforeseen } from './tool-failure.ts'

type About = Parameters<ToolContext['tell']>[0]
type Asking = Omit<ToolContext, 'tell'>

/** Names are as long as callers make them. */
export const longestName = 100

/** @throws where the caller has gone */
export async function callTool(tool: Tool, args: unknown, context: Asking): Promise<ToolAnswer> {
  const began = performance.now()
  let about: About = {}
  const tell = (more: About) => {
    about = { ...about, ...more }
  }
  const record = (outcome: Outcome) =>
    recordCall({ tool: tool.name, outcome, about, durationMs: performance.now() - began }, context)
  try {
    const { answer, failure } = await answerOf(tool, args, { ...context, tell })
    record(failure?.code ?? 'ok')
    return answer
  } catch (error) {
    record('cancelled')
    throw error
  }
}

type Outcome = ErrorCode | 'ok' | 'cancelled'
interface Call {
  readonly tool: string
  readonly outcome: Outcome
  readonly about: About
  readonly durationMs: number
}

/** What is named to be worked on, such as a product, is nothing that an agent looks for: arguments are no demand. */
function recordCall({ tool, outcome, about, durationMs }: Call, { ports, request, bearer, agent }: Asking): void {
  const brand = about.brand ?? bearer.brand ?? (bearer.brands === '*' ? null : (bearer.brands[0] ?? null))
  ports.recordCall(request, {
    ...{ ...about, type: 'tool_call', brand },
    numbers: { duration_ms: durationMs.toFixed(3) },
    metadata: { tool, outcome },
    ...(agent && { agent }),
  })
}

/** A tool that there is not, or not for this caller, was called all the same. */
export const recordUnknown = (name: string, context: Asking): void =>
  recordCall({ tool: name.slice(0, longestName), outcome: 'MCP_001', about: {}, durationMs: 0 }, context)

async function answerOf(
  tool: Tool,
  args: unknown,
  context: ToolContext,
): Promise<{ readonly answer: ToolAnswer; readonly failure: Failure | null }> {
  const checked = tool.input.safeParse(args)
  if (!checked.success) {
    const [issue] = checked.error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : []
    const field = [...(issue?.path ?? []), ...unknown.slice(0, 1)].join('.') || 'arguments'
    const failure: Failure = { code: 'MCP_002', message: `${field}: ${issue?.message ?? 'is not valid'}`, field }
    return { answer: failed(failure), failure }
  }
  try {
    return { answer: await tool.call(checked.data, context), failure: null }
  } catch (error) {
    if (context.signal.aborted) throw error
    const known = failureOf(error, context.ports.isStoreAway)
    if (!known) context.request.log.error({ err: error }, 'a tool failed')
    const failure = known ?? unforeseen
    return { answer: failed(failure), failure }
  }
}
