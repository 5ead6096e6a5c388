/** Tools and a prompt that ask their client for something before they answer, as the conformance suite wants to find them. */
import { createRequestStateCodec, inputRequired, inputResponse, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Prompt } from '../../../serving/mcp/prompts.ts'
import type { Tool, ToolAnswer } from '../../../serving/mcp/tool.ts'

const { mint, verify } = createRequestStateCodec({ key: 'a key of tests, of thirty-two bytes' })

/** For the server: what comes back must be what was given. */
export const verifyState = verify as (state: string) => unknown

const asked = {
  text: (message: string, field: string) =>
    inputRequired.elicit({
      message,
      requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
    }),
  consent: () =>
    inputRequired.elicit({
      message: 'Please confirm',
      requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    }),
  sample: (text: string) =>
    inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 }),
  roots: () => inputRequired.listRoots(),
}
type Wanted = Readonly<Record<string, ReturnType<(typeof asked)[keyof typeof asked]>>>

const says = (text: string): ToolAnswer => ({ content: [{ type: 'text', text }] })
const mcpReqOf = (protocol: unknown) => (protocol as ServerContext).mcpReq
const isThere = (protocol: unknown, key: string) =>
  inputResponse(mcpReqOf(protocol).inputResponses, key).kind !== 'missing'
const capabilitiesIn = (protocol: unknown) =>
  (mcpReqOf(protocol).envelope as Record<string, Readonly<Record<string, unknown>>> | undefined)?.[
    'io.modelcontextprotocol/clientCapabilities'
  ] ?? {}

const tool = (name: string, call: (protocol: unknown) => Promise<object> | object): Tool => ({
  ...{ name, title: name, description: `Fixture ${name}`, category: 'catalog', needs: null, output: null },
  input: z.looseObject({}),
  call: async (_args, { protocol }) => (await call(protocol)) as ToolAnswer,
})

/** Asks until all of it is there. @param signed whether it gives something to bring back */
const asks = (name: string, wanted: Wanted, signed = false): Tool =>
  tool(name, async (protocol) =>
    Object.keys(wanted).every((key) => isThere(protocol, key))
      ? says('state-ok')
      : inputRequired({ inputRequests: wanted, ...(signed && { requestState: await mint({ name }) }) }),
  )

const name = asked.text('What is your name?', 'name')

export const askingTools: readonly Tool[] = [
  asks('test_input_required_result_elicitation', { user_name: name }),
  asks('test_input_required_result_sampling', { capital_question: asked.sample('What is the capital of France?') }),
  asks('test_input_required_result_list_roots', { client_roots: asked.roots() }),
  asks('test_input_required_result_request_state', { confirm: asked.consent() }, true),
  asks('test_input_required_result_tampered_state', { confirm: asked.consent() }, true),
  asks(
    'test_input_required_result_multiple_inputs',
    { user_name: name, greeting: asked.sample('Generate a greeting'), client_roots: asked.roots() },
    true,
  ),
  tool('test_input_required_result_multi_round', async (protocol) => {
    if (isThere(protocol, 'step2')) return says('both steps')
    const inputRequests: Wanted = isThere(protocol, 'step1')
      ? { step2: asked.text('Step 2: What is your favorite color?', 'color') }
      : { step1: asked.text('Step 1: What is your name?', 'name') }
    return inputRequired({ inputRequests, requestState: await mint(Object.keys(inputRequests)) })
  }),
  tool('test_input_required_result_capabilities', (protocol) => {
    const { sampling, elicitation } = capabilitiesIn(protocol)
    const inputRequests: Wanted = {
      ...(sampling !== undefined && { capital_question: asked.sample('What is the capital of France?') }),
      ...(elicitation !== undefined && { user_name: name }),
    }
    return Object.keys(inputRequests).length === 0 ? says('nothing to ask') : inputRequired({ inputRequests })
  }),
  asks('test_missing_capability', { greeting: asked.sample('Generate a greeting') }),
  asks('test_streaming_elicitation', { user_name: name }),
]

export const askingPrompt: Prompt = {
  ...{ name: 'test_input_required_result_prompt', title: 'Asks', description: 'Fixture that asks', arguments: [] },
  input: z.record(z.string(), z.string()),
  asks: (protocol) =>
    isThere(protocol, 'user_context')
      ? null
      : inputRequired({
          inputRequests: { user_context: asked.text('What context should the prompt use?', 'context') },
        }),
  messages: () => [{ role: 'user', content: { type: 'text', text: 'With the context that was given.' } }],
}
