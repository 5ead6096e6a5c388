import { expect, test } from 'vitest'
import { platforms } from '../../../schemas/feeds/registry.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { rubricPage } from '../../../transforms/gold/rubric-page.ts'

// After a change of a rule: `npx vitest run test/transforms/gold/rubric-page.test.ts -u`, and read what it says.
test('RUBRIC.md is what the rules say now', async () => {
  await expect(rubricPage()).toMatchFileSnapshot('../../../transforms/gold/RUBRIC.md')
})

test('the page has every rule, with why and every source, and all that platforms refuse', () => {
  // Cells are padded to one width.
  const lines = rubricPage()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '))
  for (const { id, why, sources } of rubric) {
    const line = lines.find((one) => one.startsWith(`| \`${id}\` |`)) ?? ''
    for (const text of [why, ...sources]) expect(line).toContain(text)
  }
  for (const { field, asks, source } of platforms.flatMap(({ rules }) => rules))
    expect(lines).toContain(`| \`${field}\` | ${asks} | ${source} |`)
})
