/** A tool as data: what it says of itself, what it takes and gives, and what it does. */
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Action } from '../../schemas/access.ts'
import type { RecordedEvent } from '../../schemas/event.ts'
import type { Bearer } from '../plugins/access.ts'
import type { McpPorts } from './mcp-ports.ts'

/** What `tools=` narrows a connection to; `read` and `write` part all tools in two. */
export const toolCategories = ['read', 'write', 'scores', 'writing', 'catalog', 'feeds', 'events'] as const
export type ToolCategory = (typeof toolCategories)[number]

/** As the protocol has it: content that every client reads, and the same as data. */
export interface ToolAnswer {
  readonly content: readonly object[]
  readonly structuredContent?: object
  readonly isError?: true
  readonly _meta?: object
}

export interface ToolContext {
  readonly request: FastifyRequest
  readonly bearer: Bearer
  readonly ports: McpPorts
  /** The caller has gone, or takes the call back. */
  readonly signal: AbortSignal
  /** Name and version that the client gives itself; null where it gave none. */
  readonly agent: { readonly name: string; readonly version?: string } | null
  /** Tells how far it is, where the caller asked to be told. */
  readonly progress: (done: number, total: number) => Promise<void>
  /** The library's own context: for what a suite asks of the protocol itself, which no tool of ours uses. */
  readonly protocol: unknown
  /** What the event of this call tells beside the tool and its outcome. */
  readonly tell: (about: Partial<Pick<RecordedEvent, 'brand' | 'catalog' | 'product' | 'products' | 'numbers'>>) => void
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: Exclude<ToolCategory, 'read' | 'write'>
  /** What a caller must be allowed to do beside calling tools; null: nothing, for it only reads. */
  readonly needs: Action | null
  readonly input: z.ZodType
  readonly output: z.ZodType | null
  /** How the input is shown, where that is not made from it. */
  readonly inputSchema?: object
  /** @param args as the input has them */
  call(args: unknown, context: ToolContext): Promise<ToolAnswer>
}

/** A tool that answers with an object, given as text too, for clients that read nothing else. */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType<object>>(
  tool: Omit<Tool, 'input' | 'output' | 'call'> & {
    readonly input: Input
    readonly output: Output
    readonly run: (args: z.output<Input>, context: ToolContext) => Promise<z.input<Output>>
  },
): Tool {
  const { run, ...said } = tool
  return {
    ...said,
    async call(args, context) {
      const answer = await run(args as z.output<Input>, context)
      return {
        content: [{ type: 'text', text: JSON.stringify(answer) }],
        structuredContent: answer as object,
      }
    },
  }
}
