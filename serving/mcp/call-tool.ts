/** Calls a tool: arguments checked, the outcome told as an event, and a failure answered as the protocol has it. */

import type { Tool, ToolAnswer, ToolContext } from './tool.ts'
import { type Failure, failed, failureOf } from './tool-failure.ts'

type About = Parameters<ToolContext['tell']>[0]

export async function callTool(tool: Tool, args: unknown, context: Omit<ToolContext, 'tell'>): Promise<ToolAnswer> {
  const { ports, request, bearer } = context
  const began = performance.now()
  let about: About = {}
  const tell = (more: About) => {
    about = { ...about, ...more }
  }
  const { answer, failure } = await answerOf(tool, args, { ...context, tell })
  const brand = about.brand ?? bearer.brand ?? (bearer.brands === '*' ? null : (bearer.brands[0] ?? null))
  ports.recordCall(request, {
    ...{ ...about, type: 'tool_call', brand },
    numbers: { duration_ms: (performance.now() - began).toFixed(3) },
    // What is named to be worked on, such as a product, is nothing that an agent looks for: arguments are no demand.
    metadata: { tool: tool.name, outcome: failure?.code ?? 'ok' },
    ...(context.agent && { agent: context.agent }),
  })
  return answer
}

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
    const failure = known ?? { code: 'SERVER_001' as const, message: 'Internal server error; retry with backoff' }
    return { answer: failed(failure), failure }
  }
}
