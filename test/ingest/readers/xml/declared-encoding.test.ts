import { describe, expect, test } from 'vitest'
import { detectEncoding } from '../../../../ingest/encoding.ts'
import { declaredEncoding, requireDeclared } from '../../../../ingest/readers/xml/declared-encoding.ts'

const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}" standalone='yes'?><a/>`
const judge = (bytes: Uint8Array) => requireDeclared(declaredEncoding(bytes), detectEncoding(bytes))

test.each([
  ['UTF-8', Buffer.from(declared('UTF-8')), 'UTF-8'],
  ['UTF-8 after its mark', Buffer.from(`\ufeff${declared('utf-8')}`), 'utf-8'],
  ['UTF-16LE', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le'), 'UTF-16'],
  ['UTF-16BE', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le').swap16(), 'UTF-16'],
  ['a code page', Buffer.from(declared('windows-1251')), 'windows-1251'],
  ['single quotes', Buffer.from("<?xml version='1.0' encoding = 'cp1252'?>"), 'cp1252'],
  ['none', Buffer.from('<?xml version="1.0"?><a encoding="x"/>'), null],
  ['no declaration', Buffer.from('<a encoding="x"/>'), null],
])('the name in the first line is found in %s', (_, bytes, name) => {
  expect(declaredEncoding(bytes)).toBe(name)
})

describe('a declaration', () => {
  test('that fits the bytes is taken', () => {
    for (const name of ['UTF-8', 'utf8', 'US-ASCII']) judge(Buffer.from(declared(name)))
    judge(Buffer.from('<a/>'))
    judge(Buffer.from(`\ufeff${declared('utf-16')}`, 'utf16le'))
  })

  test.each([
    ['UTF-16', Buffer.from(declared('UTF-16'))],
    ['UTF-8', Buffer.from(`\ufeff${declared('UTF-8')}`, 'utf16le')],
    ['windows-1251', Buffer.from(declared('windows-1251'))],
  ])('of %s that contradicts them is refused', (name, bytes) => {
    expect(() => judge(bytes)).toThrow(new RegExp(`declares the encoding ${name} and its bytes are read as UTF-`))
  })
})
