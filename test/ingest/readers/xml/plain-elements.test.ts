import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openParser } from '../../../../ingest/readers/xml/open-parser.ts'
import { enough } from '../../../enough.ts'

/** All that is told of a document, texts that follow each other as one, and where and why it is refused. */
function toldOf(pieces: Iterable<string>, lenient = false): string[] {
  const told: string[] = []
  const references: string[] = []
  let text = ''
  const tell = (one: string) => {
    if (text !== '') told.push(`text ${text}`)
    text = ''
    told.push(one)
  }
  const parser = openParser({
    doctype: (type) => tell(`doctype ${type}`),
    attribute: (_name, value) => value,
    opens: (name, attributes, line) => tell(`${line} opens ${name} ${JSON.stringify(Object.entries(attributes))}`),
    text(part) {
      text += part
    },
    closes: (name) => tell(`closes ${name}`),
    ...(lenient && { unknown: (written: string, line: number) => references.push(`${line} ${written}`) }),
    fault: (cause, line, column) => new Error(`${cause} ${line}:${column}`),
  })
  try {
    for (const piece of pieces) parser.write(piece)
    parser.close()
    tell('end')
    told.push(...references)
  } catch (error) {
    // Of a text that breaks off some may have been told, and of nothing else.
    told.push(String(error))
  }
  return told
}

/** Cut between any two characters no tag is whole in its piece, so that all of it is the parser's own work. */
function expectTheSame(document: string) {
  for (const lenient of [false, true]) {
    const alone = toldOf(document, lenient)
    expect(toldOf([document], lenient)).toEqual(alone)
    const at = document.length >> 1
    expect(toldOf([document.slice(0, at), document.slice(at)], lenient)).toEqual(alone)
  }
}

const bits = [
  ...['<a>', '</a>', '<b>', '</b>', '<g:id>', '</g:id>', '<größe>', '</größe>', '<a/>', '<b />', '<a  >', '</a >'],
  ...['<a x="1">', '<b x=\'a&amp;b\' y="">', '<a x="1" x="2">', '<a x="1"y="2">', '<a x = "1">', '<b x="<">', '<a x>'],
  ...['<a xmlns:g="u" g:x="\t">', '<a\nx="1"\n>', '<b __proto__="1" constructor="2"/>', '<a x="1" />', '<a x="1"/ >'],
  ...['&amp;', '&lt;', '&gt;', '&quot;', '&apos;', '&#65;', '&#x41;', '&#X41;', '&nbsp;', '&amp', '& ', '&;', '&#0;'],
  ...['<![CDATA[<a>&amp;]]>', '<![CDATA[]]>', '<![CDATA[a\r\nb]]]>', '<![CDATA[a\nb]]>', '<!-- <a> & -->', '<?p i?>'],
  ...[
    '\n',
    '\r\n',
    '\r',
    '\t',
    ' ',
    'text',
    'a longer text of a product',
    ']]>',
    '"',
    'é€',
    '😀',
    '\ufffe',
    '\u0001',
    '>',
  ],
  ...['<', '</', '<a', '</b', '<1>', '<-a>', '<:>', '</:>', '<a:b:c>', '</a:b:c>', '<a.b-c_1>', '</a.b-c_1>', '<!x>'],
]

test('a document tells the same whole, cut in two, and character by character', () => {
  const content = fc.array(fc.constantFrom(...bits), { maxLength: 12 })
  fc.assert(
    fc.property(content, content, (first, second) =>
      expectTheSame(`<r>${first.join('')}<a>${second.join('')}</a></r>`),
    ),
    { numRuns: enough(600, 2_000) },
  )
})

test('what is well-formed is told the same, and where its lines are', () => {
  const text = fc.constantFrom(
    '\n',
    '\r\n',
    ' ',
    'x',
    '&amp;',
    '&#228;',
    '<![CDATA[&]]>',
    '<!--\n-->',
    'a text\nof two lines',
  )
  const { node } = fc.letrec<{ node: string; inner: string }>((tie) => ({
    inner: fc.oneof({ weight: 2, arbitrary: text }, tie('node')),
    node: fc
      .tuple(
        fc.constantFrom('a', 'g:id', 'PARAM', 'größe'),
        fc.constantFrom('', ' x="1"', ' x=\'&lt;\' y="2"', '\n x="1"'),
        fc.array(tie('inner'), { maxLength: 5 }),
      )
      .map(([name, attributes, inner]) =>
        inner.length === 0 ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner.join('')}</${name}>`,
      ),
  }))
  fc.assert(fc.property(node, expectTheSame), { numRuns: enough(200, 500) })
})

test.each([
  ['a tag that nobody closes', '<r><a>x</r>'],
  ['an end tag too many', '<r>x</a></r>'],
  ['an attribute twice', '<r><a x="1" x="2"/></r>'],
  ['a lone & behind lines', '<r>\n<a>x</a>\n<a>a & b</a></r>'],
  ['a wrong character in the third line', '<r>\n<a>x</a>\n<a>y</a> <1/></r>'],
])('%s is told of at its place', (_, document) => {
  expect(toldOf([document]).at(-1)).toMatch(/^Error: .+ \d+:\d+$/)
  expectTheSame(document)
})
