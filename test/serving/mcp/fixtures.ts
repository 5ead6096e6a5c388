/** What the conformance suite of the protocol wants to find on a server: tools, resources and prompts that say what it expects. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Prompt } from '../../../serving/mcp/prompts.ts'
import type { Resource } from '../../../serving/mcp/resources.ts'
import type { Tool, ToolAnswer, ToolContext } from '../../../serving/mcp/tool.ts'
import { askingPrompt, askingTools, verifyState } from './asking-fixtures.ts'

/** A red pixel, and a header of sound without any. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (words: string) => ({ type: 'text', text: words })
const image = { type: 'image', data: png, mimeType: 'image/png' }

const tool = (
  name: string,
  call: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolAnswer> | ToolAnswer,
): Tool => ({
  ...{ name, title: name, description: `Fixture ${name}`, category: 'catalog', needs: null, output: null },
  input: z.looseObject({}),
  call: async (args, context) => call(args as Record<string, unknown>, context),
})

const says = (name: string, ...content: object[]) => tool(name, () => ({ content }))

const phone = { required: ['phone'] }
const email = { required: ['email'] }
const schemaOf2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [phone, email] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: phone,
  else: email,
  additionalProperties: false,
}

const tools: readonly Tool[] = [
  says('test_simple_text', text('This is a simple text response for testing.')),
  says('test_image_content', image),
  says('test_audio_content', { type: 'audio', data: wav, mimeType: 'audio/wav' }),
  says('test_embedded_resource', {
    type: 'resource',
    resource: {
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    },
  }),
  says('test_multiple_content_types', text('Multiple content types test:'), image, {
    type: 'resource',
    resource: {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: '{"test":"data","value":123}',
    },
  }),
  tool('test_error_handling', () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  })),
  tool('test_tool_with_progress', async (_args, { progress }) => {
    for (const done of [0, 50, 100]) {
      await progress(done, 100)
      await sleep(50)
    }
    return { content: [text('done')] }
  }),
  tool('test_tool_with_logging', async (_args, { protocol }) => {
    const { log } = (protocol as ServerContext).mcpReq
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await log('info', words)
      await sleep(50)
    }
    return { content: [text('done')] }
  }),
  tool('test_logging_tool', async (_args, { protocol }) => {
    await (protocol as ServerContext).mcpReq.log('info', 'said to who asks for it')
    return { content: [text('done')] }
  }),
  ...askingTools,
  {
    ...tool('json_schema_2020_12_tool', (args) => ({ content: [text(JSON.stringify(args))] })),
    inputSchema: schemaOf2020,
  },
]

const resource = (uri: string, mimeType: string, read: Resource['read']): Resource => ({
  ...{ uri, name: uri, title: uri, description: `Fixture ${uri}`, mimeType, read },
})

const resources: readonly Resource[] = [
  resource('test://static-text', 'text/plain', async () => ({
    text: 'This is the content of the static text resource.',
  })),
  resource('test://static-binary', 'image/png', async () => ({ blob: png })),
  {
    ...resource('test://template/{name}/data', 'application/json', async (id) => ({
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    })),
    list: async () => ({ resources: [], next: null }),
  },
]

const prompt = (name: string, args: readonly string[], messages: Prompt['messages']): Prompt => ({
  ...{ name, title: name, description: `Fixture ${name}`, messages, input: z.record(z.string(), z.string()) },
  arguments: args.map((one) => ({ name: one, description: one, required: true })),
})
const user = (...content: object[]) => content.map((one) => ({ role: 'user', content: one }))

const prompts: readonly Prompt[] = [
  prompt('test_simple_prompt', [], () => user(text('This is a simple prompt for testing.'))),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) =>
    user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri }) =>
    user(
      {
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
      text('Please process the embedded resource above.'),
    ),
  ),
  prompt('test_prompt_with_image', [], () => user(image, text('Please analyze the image above.'))),
  askingPrompt,
]

/** Assay itself sends no logs, and says so. */
export const fixtures = { tools, resources, prompts, verifyState, capabilities: { logging: {} } }
