import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { htmlTokens } from '../../../ingest/page/html-tokens.ts'
import { elementsOf, htmlTree, textOf } from '../../../ingest/page/html-tree.ts'
import { readLooseJson } from '../../../ingest/page/loose-json.ts'
import { readPage } from '../../../ingest/page/read-page.ts'

const tokens = (html: string) =>
  [...htmlTokens(html)].map((token) =>
    token.kind === 'open'
      ? [token.name, Object.fromEntries(token.attributes)]
      : token.kind === 'close'
        ? `/${token.name}`
        : token.text,
  )

describe('tags and texts', () => {
  test.each<[string, unknown[]]>([
    [
      '<p class=a id="b" data-c=\'d>e\' hidden>x</P >',
      [['p', { class: 'a', id: 'b', 'data-c': 'd>e', hidden: '' }], 'x', '/p'],
    ],
    ['a < b &amp; c <3 &lt;', ['a < b & c <3 <']],
    ['<a href="?a=1&copy=2&amp;b" href=x>', [['a', { href: '?a=1&copy=2&b' }]]],
    ['<!doctype html><!-- <p> --><!--><b>', [['b', {}]]],
    ['<script>if (a</b> && "<p>") </script>x', [['script', {}], 'if (a</b> && "<p>") ', '/script', 'x']],
    ['<title>a <b> &amp; c</title>', [['title', {}], 'a <b> & c', '/title']],
    ['<script>never closed <p>', [['script', {}], 'never closed <p>']],
    ['x<p class="never closed>y', ['x']],
    [
      '<br/><img src=a/b/>',
      [
        ['br', {}],
        ['img', { src: 'a/b/' }],
      ],
    ],
    ['<![CDATA[a]]>b', ['b']],
    ['</ x>a</>b', ['a', 'b']],
    ['<p =a=b>', [['p', { '=a': 'b' }]]],
  ])('%s', (html, expected) => {
    expect(tokens(html)).toEqual(expected)
  })

  test('what is within what, also where ends are left out or cross', () => {
    const inner = (html: string) => {
      const root = htmlTree(html)
      const found = [...elementsOf(root)].find(({ attributes }) => attributes.has('id'))
      return found && textOf(found)
    }
    expect(inner('<ul><li id=a>one<li>two</ul>')).toBe('one')
    expect(inner('<p id=a>one<div>two</div>')).toBe('one')
    expect(inner('<div id=a><b>one<div>two</b>three</div>four</div>five')).toBe('one twothree four')
    expect(inner('<div id=a><span>one<div>two</span>three</div></div>four')).toBe('one twothree')
    expect(inner('<table><tr><td id=a>one<td>two</table>')).toBe('one')
  })
})

const pieces = fc.constantFrom(
  ...[
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<script',
    '</script>',
    '<script type="application/ld+json">',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
  ],
  ...[
    '<div itemscope itemtype="https://schema.org/Product" itemref=a id=a>',
    '<i itemprop=name>',
    '</div>',
    '<p',
    "'",
    '=',
    ' ',
    '/',
    '&amp',
    '&#x0;',
  ],
  ...[
    '"@type":"Product"',
    '"@graph"',
    '"offers"',
    '"price":',
    '1',
    '<meta property="og:type" content="product">',
    '\u0000',
    '\uD800',
    'é',
  ],
)
const soup = fc
  .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 60 })
  .map((all) => all.join(''))

test('no page breaks the reading of pages', () => {
  fc.assert(
    fc.property(soup, (html) => {
      const { failed, fields } = readPage(html, 'https://shop.example/p')
      // A product has a title and a price, or the reason why there is none.
      expect(failed !== null || (fields.title && fields.price)).toBeTruthy()
    }),
    { numRuns: 2_000 },
  )
})

test('each text is told once, and in order', () => {
  const word = fc.stringMatching(/^[a-z]{1,5}$/)
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.constantFrom('<b>', '</b>', '<div>', '</div>', '<p>', '<li>'))), (parts) => {
      const words = parts.filter((part) => !part.startsWith('<')).join('')
      expect(textOf(htmlTree(parts.join(''))).replaceAll(' ', '')).toBe(words)
    }),
  )
})

test('time grows with the length alone', () => {
  const repeated = [
    ...[
      '<',
      '<a ',
      '<a b="',
      '</',
      '<!--',
      '<!',
      '<p>',
      '</p>',
      '<b><div></b>',
      '<script>',
      '&',
      '<a =',
      '<i itemprop=a>',
    ],
    ...[
      '<div itemscope itemtype="https://schema.org/Product" itemprop=offers>',
      '<meta property=og:image content=a>',
      '\\"',
      '{"a":',
      '[',
    ],
  ]
  for (const piece of repeated) {
    const html = piece.repeat(Math.ceil(400_000 / piece.length))
    const began = performance.now()
    readPage(html, 'https://shop.example/p')
    readPage(`<script type="application/ld+json">{"@type":"Product","name":"${html}`, 'https://shop.example/p')
    expect(performance.now() - began, piece).toBeLessThan(3_000)
  }
}, 60_000)

test('of a page with elements without number the beginning is read', () => {
  const product = '<script type="application/ld+json">{"@type":"Product","name":"A","offers":{"price":5}}</script>'
  expect([...elementsOf(htmlTree('<p>'.repeat(300_000)))].length).toBe(100_001)
  expect(readPage(product + '<p>'.repeat(300_000), 'https://shop.example/').failed).toBeNull()
})

describe('loose JSON', () => {
  test('JSON is read as JSON is', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readLooseJson(text)).toEqual({ values: [JSON.parse(text)], repaired: false })
      }),
    )
  })

  test('what is repaired says what it said: nothing within a string changes', () => {
    const value = fc.record({
      name: fc.string({ unit: 'grapheme' }),
      'a//b': fc.array(fc.oneof(fc.integer(), fc.string(), fc.boolean())),
    })
    const noise = fc.constantFrom('', ' ', '\n', '// no "json" {\n', '/* , */', '<!-- ', '//]]>\n', '// <![CDATA[\n')
    fc.assert(
      fc.property(value, noise, noise, fc.constantFrom('', ';', ',', ',;'), (one, before, after, end) => {
        const loose = `${before}${JSON.stringify(one).replace(/\]\}$/, '],}')}${end}${after}`
        expect(readLooseJson(loose)).toEqual({ values: [one], repaired: true })
      }),
    )
  })

  test.each(['', '{', '{"a"', '{"a":}', "{'a':1}", '{"a" 1}', 'var a = 1', '{"a":1 "b":2}', `${'['.repeat(5_000)}`])(
    'what is no JSON is not made into some: %s',
    (text) => expect(readLooseJson(text)).toBeNull(),
  )
})
