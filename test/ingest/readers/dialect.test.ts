import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Delimiter } from '../../../ingest/readers/dialect.ts'
import { detectDialect } from '../../../ingest/readers/dialect.ts'

const delimiter = (sample: string) => detectDialect(sample).delimiter

describe('the delimiter', () => {
  test.each<[string, Delimiter, string]>([
    ['a plain file', ',', 'sku,title,price\nA-1,Mug,9.5\n'],
    ['decimal commas and comma lists in cells', ';', 'sku;title;price;tags\nA-1;Mug;9,50;red,blue\nA-2;Cup;1,20;red\n'],
    ['a header name with a comma, and decimal commas', '\t', 'sku\tprice, net\tunit\nA-1\t9,50\tpc\nA-2\t1,20\tpc\n'],
    ['as many commas as semicolons', ';', 'sku;Preis, EUR\nA-1;9,50\nA-2;1,20\n'],
    ['semicolons inside quotes', ',', 'sku,"a;b;c;d",x\n1,"e;f;g;h",y\n'],
    ['delimiters and line breaks in quoted cells', '|', 'sku|title\n1|"a,b\nc,d"\n2|"e,f"\n'],
    ['some ragged records', ',', 'a,b,c\n1,2,3\n1,2\n1,2,3,4\n1,2,3\n'],
    ['a blank last column in every record', '\t', 'a\tb\n1\t2\t\n3\t4\t\n'],
    ['only a header', ';', 'sku;title'],
    ["Meta's remarks before the header", '\t', '# ref_application_id 1, 2\nsku\ttitle\n1\tMug\n'],
    ['one column', ',', 'sku\nA-1\nA-2\n'],
    ['one column of prose', '|', 'title\nMug, red; large\nCup, blue\n'],
    ['a first cell that goes on behind the sample', ';', `sku;text;price\nA;"${'a,b,c,d\n'.repeat(100)}`],
    ['nothing', ',', ''],
  ])('with %s is %j', (_, expected, sample) => {
    expect(delimiter(sample)).toBe(expected)
  })

  test('of any table of plain words is found in any sample of it', () => {
    const word = fc.stringMatching(/^[a-z0-9][a-z0-9 .]{0,7}$/)
    const shape = fc
      .integer({ min: 2, max: 8 })
      .chain((width) =>
        fc.array(fc.array(word, { minLength: width, maxLength: width }), { minLength: 3, maxLength: 8 }),
      )
    fc.assert(
      fc.property(shape, fc.constantFrom<Delimiter>(',', ';', '\t', '|'), fc.nat(10), (rows, expected, cutOff) => {
        const text = rows.map((row) => row.join(expected)).join('\n')
        const header = text.indexOf('\n') + 1
        expect(delimiter(text.slice(0, Math.max(header, text.length - cutOff)))).toBe(expected)
      }),
    )
  })

  test('comes with a reason that a person can check', () => {
    expect(detectDialect('a;b\n1;2\n3\n').reason).toBe(
      'semicolon: cuts the header into 2 cells, and 1 of the first 2 records alike',
    )
  })
})
