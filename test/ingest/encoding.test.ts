import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damageIn } from '../../ingest/encoding/damage.ts'
import { type EncodingName, encodingNames } from '../../ingest/encoding/names.ts'
import { decodeText } from '../../ingest/encoding.ts'
import { encoded } from './encoding/encoded.ts'
import { inPieces } from './in-pieces.ts'

async function decode(
  bytes: Uint8Array,
  encoding: EncodingName = 'utf-8',
  cuts: readonly number[] = [],
  markBytes = 0,
): Promise<string> {
  let text = ''
  for await (const piece of decodeText(inPieces(bytes, cuts), { encoding, markBytes })) text += piece
  return text
}

const encoders = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-16le': (text: string) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(text, 'utf16le').swap16(),
} as const
const unicode = Object.entries(encoders) as [EncodingName, (text: string) => Buffer][]

test.each(unicode)(
  'any text comes back from %s, wherever its bytes are cut, without its mark',
  async (name, encode) => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('é', '語', '🧦', '\ufffd', '\0', '\r'),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
    })
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), fc.array(fc.nat(200)), async (text, mark, cuts) => {
        const bytes = encode(mark ? `\ufeff${text}` : text)
        expect(await decode(bytes, name, cuts, mark ? bytes.length - encode(text).length : 0)).toBe(text)
      }),
    )
  },
)

test('any bytes at all are the same text in any encoding wherever they are cut, and no U+FFFD is made of them', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .array(fc.constantFrom(0x81, 0x8f, 0xa1, 0xe9, 0xf0, 0x9f, 0x30, 0x40, 0x0a), { maxLength: 20 })
      .map((all) => Uint8Array.from(all)),
  )
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom(...encodingNames), async (bytes, name) => {
      const whole = await decode(bytes, name)
      for (let cut = 1; cut < bytes.length; cut++) expect(await decode(bytes, name, [cut])).toBe(whole)
      if (!Buffer.from(bytes).includes('\ufffd') && !name.startsWith('utf-16')) expect(whole).not.toContain('\ufffd')
    }),
    { numRuns: 500 },
  )
})

describe('all that Windows calls', () => {
  const hex = (bytes: string) => Buffer.from(bytes, 'hex')

  test('EUC-KR is read: CP949 with every syllable, and its signs', async () => {
    expect(await decode(hex('8c63b9e6b0a2c7cf20bc84bdc320a2e6a2e7'), 'euc-kr')).toBe('똠방각하 펲시 €®')
    const syllables = Array.from({ length: 0xd7a4 - 0xac00 }, (_, i) => String.fromCharCode(0xac00 + i)).join('')
    expect(await decode(encoded(syllables, 'euc-kr'), 'euc-kr')).toBe(syllables)
  })

  test('Big5 is read, with what Hong Kong adds, and nothing private', async () => {
    expect(await decode(hex('c2c5a6e2b0a8a74aaa4d20b866bb79209def20925d'), 'big5')).toBe('藍色馬克杯 粵語 嘅 哋')
    for (let lead = 0xa1; lead <= 0xf9; lead++)
      for (let trail = 0x40; trail <= 0xfe; trail++)
        expect(await decode(Uint8Array.of(lead, trail), 'big5')).not.toMatch(/[\ue000-\uf8ff]/)
  })

  test('Shift_JIS is read: CP932', async () => {
    expect(await decode(hex('eee0ed9587 40878a8160'.replaceAll(' ', '')), 'shift_jis')).toBe('髙﨑①㈱～')
  })
})

describe('bytes that are no text', () => {
  const says = async (bytes: Uint8Array, encoding: EncodingName = 'utf-8') =>
    damageIn(await decode(bytes, encoding), encoding)

  test.each<[string, Uint8Array, string]>([
    [
      'one odd byte',
      Buffer.concat([Buffer.from('Café cr'), Buffer.from([0xe8]), Buffer.from('me')]),
      'the byte E8 after "Café cr" is not valid UTF-8',
    ],
    ['a character cut off at the end', Buffer.from('aä').subarray(0, 2), 'the byte C3 after "a" is not valid UTF-8'],
    ['an overlong form', Buffer.from([0xc0, 0xaf]), 'the byte C0 is not valid UTF-8'],
    [
      'a byte behind a real replacement character',
      Buffer.concat([Buffer.from('\ufffd'), Buffer.from([0xff])]),
      'the byte FF after "\ufffd" is not valid UTF-8',
    ],
  ])('of UTF-8 are named: %s', async (_, bytes, sentence) => {
    expect(await says(bytes)).toBe(sentence)
  })

  test.each<[string, EncodingName, Uint8Array]>([
    ['half a pair in UTF-16', 'utf-16le', Buffer.from('a\ud800b', 'utf16le')],
    ['half a pair in UTF-16BE', 'utf-16be', Buffer.from('\ufffd\udc00b', 'utf16le').swap16()],
    ['half a unit of UTF-16', 'utf-16le', Buffer.from('ab', 'utf16le').subarray(0, 3)],
    ['a byte that Shift_JIS does not have', 'shift_jis', Buffer.from([0x61, 0xfd, 0x62])],
    ['half a character of GB18030', 'gb18030', Buffer.from([0x61, 0xb0])],
    ['half a character of CP949', 'euc-kr', Buffer.from([0x61, 0x8c, 0x2c])],
    ['half a character of Big5', 'big5', Buffer.from([0x61, 0xa4])],
    ['a byte that Windows-1253 does not have', 'windows-1253', Buffer.from([0x61, 0xaa])],
  ])('are marked in other encodings: %s', async (_, encoding, bytes) => {
    expect(await says(bytes, encoding)).toMatch(/^(what stands|the byte \w\w).* is not valid [A-Z]/)
  })

  test('leave the text around them as it is', async () => {
    const text = await decode(Buffer.concat([Buffer.from('é,'), Buffer.from([0xe9, 0xfe]), Buffer.from(',語')]))
    expect(text).toBe('é,\udce9\udcfe,語')
  })
})
