/** A tool as `tools/list` and the manifest show it. */
import { z } from 'zod'
import type { Tool } from './tool.ts'

const made = new WeakMap<Tool, ReturnType<typeof make>>()

/** Made once: the schemas never change. */
export function listedTool(tool: Tool) {
  const known = made.get(tool) ?? make(tool)
  made.set(tool, known)
  return known
}

function make({ name, title, description, needs, input, output, inputSchema }: Tool) {
  return {
    ...{ name, title, description },
    inputSchema: (inputSchema as ReturnType<typeof schemaOf> | undefined) ?? schemaOf(input, 'input'),
    ...(output && { outputSchema: schemaOf(output, 'output') }),
    // It writes texts and takes none away; the same call again changes nothing more.
    annotations: { readOnlyHint: needs === null, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }
}

/** A format says what its pattern says, in a word. */
function withoutPattern({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
}

function schemaOf(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io, override: withoutPattern }) as Record<
    string,
    unknown
  >
  return schema as { type: 'object' } & Record<string, unknown>
}
