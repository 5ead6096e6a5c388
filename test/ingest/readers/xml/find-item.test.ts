import { describe, expect, test } from 'vitest'
import { findItem } from '../../../../ingest/readers/xml/find-item.ts'
import { inPieces } from '../../in-pieces.ts'

const find = (text: string) => findItem(inPieces(text, []))
const times = (n: number, xml: string) => xml.repeat(n)

describe('the product of unknown XML', () => {
  test.each([
    ['repeated among single ones', `<a><head><x/><y/><z/></head>${times(2, '<b><c/><d/></b>')}</a>`, '/a/b'],
    ['of attributes alone', `<a>${times(3, '<row sku="1" title="x"/>')}</a>`, '/a/row'],
    [
      'not its many parameters',
      `<a>${times(3, `<b><c/><d/><e/><f/><g/>${times(4, '<param k="1" v="2"/>')}</b>`)}</a>`,
      '/a/b',
    ],
    [
      'not the categories around it',
      `<a>${times(5, `<cat><name/>${times(9, '<b><c/><d/><e/></b>')}</cat>`)}</a>`,
      '/a/cat/b',
    ],
    ['alone', '<a><b/><c><sku/><title/><price/></c></a>', '/a/c'],
    ['the document itself', '<product><sku/><title/></product>', '/product'],
    [
      'first in the file where two are alike',
      `<a>${times(2, '<b><c/><d/></b>')}${times(2, '<e><c/><d/></e>')}</a>`,
      '/a/b',
    ],
    ['with a prefix', `<x:a>${times(2, '<x:b><c/><d/></x:b>')}</x:a>`, '/a/b'],
  ])('is the one %s', async (_, xml, path) => {
    const found = await find(xml)
    expect(found.path).toBe(path)
    expect(await find(xml)).toEqual(found)
  })

  test('is chosen with a reason', async () => {
    expect((await find(`<a>${times(7, '<b><c/><d/></b>')}</a>`)).reason).toBe(
      'it stands 7 times with about 2 fields, which is more than any other element',
    )
  })

  test.each([
    ['has no fields', '<a><b>1</b><b>2</b></a>', 'not_a_table'],
    [
      'has names without end',
      `<a>${Array.from({ length: 10_001 }, (_, i) => `<b${i}/>`).join('')}</a>`,
      'too_many_columns',
    ],
  ])('is refused where it %s', async (_, xml, code) => {
    await expect(find(xml)).rejects.toMatchObject({ code })
  })
})
