import { expect, test } from 'vitest'
import { jsonKind } from '../../../../ingest/readers/json/is-document.ts'

test.each<[string, string, ReturnType<typeof jsonKind>]>([
  ['an array', '[{"sku":"A"}]', 'document'],
  ['an array over lines', ' [\n  {\n"sku"', 'document'],
  ['an array after a comment', '// export\n[{"sku":"A"}]', 'document'],
  ['an array with a comment', '[ // export\n{"sku":"A"}]', 'document'],
  ['an object over lines', '{\n "sku": "A"\n}', 'document'],
  ['an envelope over lines', '{"products":[\n{"sku":"A"}\n]}', 'document'],
  ['an envelope that goes on in the middle', '{"sku":"A"\n,"title":"Mug"}', 'document'],
  ['objects over lines, one after another', '{\n"sku":"A"\n}\n{\n"sku":"B"\n}', 'document'],
  ['lines of objects', '{"sku":"A"}\n{"sku":"B"}\n', 'lines'],
  ['lines with a blank one above', '\n\n{"sku":"A"}\r\n\r\n{"sku":"B"}', 'lines'],
  ['lines whose first is cut off', '{"sku":"A","title":\n{"sku":"B"}\n{"sku":"C"}', 'lines'],
  ['lines whose first is cut off in a text', '{"sku":"A","title":"Mu\n{"sku":"B"}\n', 'lines'],
  ['lines whose first is no JSON', '{"sku":A}\n{"sku":"B"}\n', 'lines'],
  ['one line', '{"sku":"A"}\n', 'either'],
  ['objects on one line', '{"sku":"A"}{"sku":"B"}', 'either'],
  ['lines of several objects', '{"sku":"A"}{"sku":"B"}\n{"sku":"C"}\n', 'lines'],
  ['objects on one line, of which the last goes on below', '{"sku":"A"}{"sku":"B",\n"title":"Mug"}', 'document'],
  ['a text sequence', '\x1e{"sku":"A"}\n\x1e{"sku":"B"}\n', 'lines'],
  ['a text sequence over lines', '\x1e{\n"sku":"A"}\n\x1e{\n"sku":"B"}\n', 'document'],
  ['a table', 'sku,title\nA,Mug\n', null],
  ['a table in brackets', '[sku],[title]\nA,Mug\n', null],
  ['a table below a title', '// Export 2026\nsku,title\n', null],
])('%s', (_, text, kind) => {
  expect(jsonKind(text, true)).toBe(kind)
})

test('a line longer than what was looked at belongs to a document', () => {
  expect(jsonKind('{"products":[{"sku":"A"},{"sk', false)).toBe('document')
})
