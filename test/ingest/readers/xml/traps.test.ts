import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { openXml } from '../../../../ingest/readers/xml/open-xml.ts'
import { enough } from '../../../enough.ts'
import { readXml } from './read-xml.ts'

const item = '<item><id>1</id><title>Mug</title></item>'
const document = (inner: string, before = '') => `${before}<rss><channel>${inner}</channel></rss>`

describe('is refused with a sentence', () => {
  test.each([
    [
      'entities that grow',
      document(item, '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'),
      'not_a_table',
      /DOCTYPE with declarations of its own/,
    ],
    [
      'an entity from a file',
      document('<item><id>&x;</id></item>', '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      'not_a_table',
      /DOCTYPE with declarations of its own/,
    ],
    [
      'a subset that hides an element',
      '<!DOCTYPE rss [<rss><channel/></rss>',
      'not_a_table',
      /DOCTYPE with declarations of its own/,
    ],
    [
      'a subset beyond any buffer',
      document(item, `<!DOCTYPE rss [${'<!ENTITY a "ha">'.repeat(20_000)}]>`),
      'not_a_table',
      /DOCTYPE with declarations of its own/,
    ],
    [
      'nesting without end',
      document(`<item>${'<a>'.repeat(200_000)}`),
      'not_a_table',
      /line 1 .*more than 100000 levels/,
    ],
    [
      'a product that is too deep, and no other',
      document(`\n<item><id>1</id>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</item>`),
      'too_large',
      /No product .*Line 2: the file is nested more than 100 levels/,
    ],
    [
      'nesting around anything that could be a product',
      `<x>${'<a>'.repeat(200)}<b><c/><d/></b>${'</a>'.repeat(200)}</x>`,
      'not_a_table',
      /none can be a product/,
    ],
    ['an end that is cut off', document(item).slice(0, -9), 'not_a_table', /cut off/],
    ['an end in a tag', `<rss>\n<chan`, 'not_a_table', /line 2, column 5: .*cut off/],
    ['a wrong end tag', document(`${item}\n\n<item><id>2</item>`), 'not_a_table', /line 3, column 18: an end tag/],
    ['an instruction without end', '<rss><?php </rss>', 'not_a_table', /cut off/],
    ['an attribute twice', document('<item a="1" a="2"/>'), 'not_a_table', /attribute a stands twice/],
    ['two roots', `${document(item)}${document(item)}x`, 'not_a_table', /line 1/],
    ['a second document', `${document(item)}\n${document(item)}`, 'not_a_table', /line 2, column 5: a second root/],
    ['text behind the root', `${document(item)}\n\n  x\n<b/>`, 'not_a_table', /line 3, column 3: text stands outside/],
    ['a name without end', `<${'a'.repeat(200_000)}/>`, 'not_a_table', /64,000 characters/],
    ['a page', '<!DOCTYPE html>\n<html><body><br></body></html>', 'not_a_table', /HTML page/],
    ['a page without a type', '<!-- x --><HTML><meta charset=utf-8><p>', 'not_a_table', /HTML page/],
    ['a feed of nothing', document(''), 'not_a_table', /none can be a product/],
    ['no element', '<?xml version="1.0"?>\n', 'empty_file', /no element/],
    [
      'columns without end',
      document(`<item>${Array.from({ length: 2_001 }, (_, i) => `<c${i}>1</c${i}>`).join('')}</item>`),
      'too_many_columns',
      /2000/,
    ],
  ])('%s', async (_, text, code, says) => {
    await expect(readXml(text)).rejects.toMatchObject({ name: 'Error', code, says: expect.stringMatching(says) })
    await expect(readXml(text)).rejects.toMatchObject({ says: expect.not.stringMatching(/undefined|\n/) })
  })
})

test('a document type that is only named is read, and never fetched', async () => {
  const { products } = await readXml(document(item, '<!DOCTYPE rss SYSTEM "http://127.0.0.1:1/shops.dtd">'))
  expect(products).toEqual([{ id: '1', title: 'Mug' }])
})

test('what other readers of XML refuse and harms nothing is read: marks of control, a declaration below a blank line', async () => {
  const text = `\n<?xml version="1.0" ?>${document('<item a="1<2"><id>\u0001\u000b</id><title>]]></title></item>')}`
  const { products } = await readXml(text)
  expect(products).toEqual([{ '@a': '1<2', id: '\u0001\u000b', title: ']]>' }])
})

test('a remark of any length is passed over', async () => {
  const { products } = await readXml(document(`<!-- ${item.repeat(10_000)} -->${item}`))
  expect(products).toHaveLength(1)
})

const mb = 2 ** 20
async function* endless(start: string, piece: string, megabytes: number): AsyncGenerator<string> {
  yield start
  for (let i = 0; i < megabytes; i++) yield piece.repeat(mb / piece.length)
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
/** A young generation's worth of what was let go is no sign of holding on. */
const suspiciousBytes = 150 * mb

function heldSince(start: number): number {
  const used = process.memoryUsage().heapUsed - start
  if (used < suspiciousBytes) return used
  collect()
  return process.memoryUsage().heapUsed - start
}

/** The most that was held while it was read, in MB above the start. */
async function peakOf(open: () => AsyncIterable<string>): Promise<{ error: unknown; peak: number; read: number }> {
  const start = process.memoryUsage().heapUsed
  let peak = 0
  let read = 0
  async function* watched() {
    for await (const piece of open()) {
      read++
      peak = Math.max(peak, heldSince(start))
      yield piece
    }
  }
  const error = await openXml(watched).catch((error: unknown) => error)
  return { error, peak: peak / mb, read }
}

describe('memory stays bounded by', () => {
  test.each([
    ['an item that never ends', '<rss><channel><item><id>', 'lorem ip', 120],
    // Held, each megabyte of them would be ten.
    ['an item of small elements', '<rss><channel><item>', '<a></a> ', enough(40, 120)],
    ['an attribute without end', '<rss><channel><item a="', 'lorem ip', 120],
  ])('%s', async (_, start, piece, megabytes) => {
    const { error, peak } = await peakOf(() => endless(start, piece, megabytes))
    expect(error).toMatchObject({ says: expect.stringMatching(/cut off/) })
    expect(peak).toBeLessThan(200)
  })

  test.each([
    ['an instruction without end', '<?rss ', 'lorem ip'],
    ['an entity without end', '<rss>&', 'loremips'],
    ['an entity without end in an attribute', '<rss a="&', 'loremips'],
  ])('%s', async (_, start, piece) => {
    const { error, peak, read } = await peakOf(() => endless(start, piece, 100))
    expect(error).toMatchObject({ says: expect.stringMatching(/64,000 characters/) })
    expect(read).toBeLessThan(5)
    expect(peak).toBeLessThan(50)
  })

  test.each([
    ['a remark', '<rss><!-- '],
    ['CDATA', '<rss><![CDATA[ '],
  ])('%s without end', async (_, start) => {
    const { error, peak } = await peakOf(() => endless(start, 'lorem ip', enough(100, 240)))
    expect(error).toMatchObject({ says: expect.stringMatching(/cut off/) })
    expect(peak).toBeLessThan(enough(80, 120))
  })

  test('a text without end outside of any item', async () => {
    const { error, peak } = await peakOf(() => endless('<rss><channel><title>', 'lorem ip', 60))
    expect(error).toMatchObject({ says: expect.stringMatching(/cut off/) })
    expect(peak).toBeLessThan(80)
  })
})
