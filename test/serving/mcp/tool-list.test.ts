import { Tiktoken } from 'js-tiktoken/lite'
import o200k from 'js-tiktoken/ranks/o200k_base'
import { expect, test } from 'vitest'
import { listedTool } from '../../../serving/mcp/listed-tool.ts'
import { toolCategories } from '../../../serving/mcp/tool.ts'
import { toolList } from '../../../serving/mcp/tool-list.ts'

test('the whole list is under 4,000 tokens', () => {
  const text = JSON.stringify(toolList.map(listedTool))
  expect(new Tiktoken(o200k).encode(text).length).toBeLessThan(4_000)
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
