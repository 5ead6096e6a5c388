import { expect, test } from 'vitest'
import { listedTool } from '../../../serving/mcp/listed-tool.ts'
import { toolCategories } from '../../../serving/mcp/tool.ts'
import { toolList } from '../../../serving/mcp/tool-list.ts'

/** More than any tokenizer makes of it: a word of up to six letters is one, a longer one several, and so is each other sign. */
function tokensAtMost(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(/[A-Za-z]+|\d|[^\sA-Za-z\d]+/g))
    tokens += /[A-Za-z]/.test(piece) ? Math.ceil(piece.length / 6) : Math.ceil(piece.length / 2)
  return tokens
}

test('the whole list is under 4,000 tokens', () => {
  expect(tokensAtMost(JSON.stringify(toolList.map(listedTool)))).toBeLessThan(4_000)
})

test('each tool says what it is, what it takes, what it gives and whether it writes', () => {
  const names = toolList.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const tool of toolList) {
    const listed = listedTool(tool)
    expect(listed.name).toMatch(/^[a-z_]{1,64}$/)
    expect(listed.title.length).toBeGreaterThan(0)
    expect(listed.description.length).toBeLessThan(200)
    expect(listed.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(listed.outputSchema).toMatchObject({ type: 'object' })
    expect(listed.annotations.readOnlyHint).toBe(tool.needs === null)
    expect(toolCategories).toContain(tool.category)
  }
})

test('what writes previews unless it is told to', () => {
  for (const tool of toolList.filter(({ needs }) => needs !== null))
    expect(listedTool(tool).inputSchema).toMatchObject({ properties: { apply: { default: false } } })
})
