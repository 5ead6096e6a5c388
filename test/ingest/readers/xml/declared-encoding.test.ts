import { describe, expect, test } from 'vitest'
import { detectEncoding } from '../../../../ingest/encoding/detect.ts'
import { declaredEncoding, declaredName, requireDeclared } from '../../../../ingest/readers/xml/declared-encoding.ts'
import { encoded } from '../../encoding/encoded.ts'

const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}" standalone='yes'?><a/>`

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
  const judge = async (bytes: Uint8Array) => {
    const name = declaredEncoding(bytes)
    const once = async function* () {
      yield bytes
    }
    const found = await detectEncoding(once(), declaredName(name), 'its first line')
    if (!found) throw new Error('the bytes are no text')
    requireDeclared(name, found.encoding)
    return found.encoding
  }

  test.each([
    ['UTF-8', Buffer.from(declared('UTF-8')), 'utf-8'],
    ['none', Buffer.from('<a/>'), 'utf-8'],
    ['UTF-16', Buffer.from(`\ufeff${declared('utf-16')}`, 'utf16le'), 'utf-16le'],
    ['windows-1251', Buffer.from(declared('windows-1251')), 'windows-1251'],
    ['ISO-8859-1', Buffer.from(declared('ISO-8859-1')), 'windows-1252'],
    ['Shift_JIS', Buffer.from(declared('Shift_JIS')), 'shift_jis'],
  ])('of %s says what the file is read in', async (_, bytes, encoding) => {
    expect(await judge(bytes)).toBe(encoding)
  })

  test.each([
    ['UTF-16', Buffer.from(declared('UTF-16'))],
    ['UTF-8', Buffer.from(`\ufeff${declared('UTF-8')}`, 'utf16le')],
  ])('of %s that contradicts the bytes is refused', async (name, bytes) => {
    await expect(judge(bytes)).rejects.toThrow(
      new RegExp(`declares the encoding ${name} and its bytes are read as UTF-`),
    )
  })

  const titled = (encoding: string, title: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><a><t>${title}</t></a>`

  test.each([
    ['windows-1251', 'Кружка', 'windows-1251'],
    ['windows-1251', 'Пётр и Лёд', 'windows-1251'],
    ['windows-1252', 'Müller', 'windows-1252'],
    ['Shift_JIS', 'マグカップ', 'shift_jis'],
    ['GB18030', '联通', 'gb18030'],
    ['EUC-KR', '똠방각하', 'euc-kr'],
  ] as const)(
    'of %s counts where the bytes are that, and not where they are UTF-8: %s',
    async (name, title, encoding) => {
      expect(await judge(encoded(titled(name, title), encoding))).toBe(encoding)
      expect(await judge(Buffer.from(titled(name, title)))).toBe('utf-8')
      expect(await judge(Buffer.from(`\ufeff${titled(name, title)}`))).toBe('utf-8')
    },
  )

  test('counts where the bytes are both and make words as it says', async () => {
    expect(await judge(Buffer.from(titled('windows-1252', 'CAF\xc9\xae'), 'latin1'))).toBe('windows-1252')
  })

  test('that the bytes contradict is told', async () => {
    const once = async function* () {
      yield Buffer.from(titled('windows-1251', 'Кружка'))
    }
    expect(await detectEncoding(once(), 'windows-1251', 'its first line')).toMatchObject({
      encoding: 'utf-8',
      whole: true,
      note: 'encoding UTF-8, as its bytes are, though its first line says WINDOWS-1251',
    })
  })

  test('of what is no encoding is refused', () => {
    expect(() => declaredName('klingon')).toThrow('declares the encoding klingon, which is not known here')
  })
})
