import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText, detectEncoding } from '../../ingest/encoding.ts'
import { NotTextError } from '../../ingest/not-text-error.ts'
import { inPieces } from './in-pieces.ts'

const encoders = {
  'utf-8': (text: string) => Buffer.from(text),
  'utf-8 with mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'utf-16le with mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be with mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
}
const encodings = Object.entries(encoders)

async function decode(bytes: Uint8Array, cuts: readonly number[] = []): Promise<string> {
  let text = ''
  for await (const piece of decodeText(inPieces(bytes, cuts))) text += piece
  return text
}

const failure = (bytes: Uint8Array, cuts: readonly number[] = []) =>
  decode(bytes, cuts).then(
    (text) => expect.fail(`decoded as ${JSON.stringify(text)}`),
    (error: unknown) => error as NotTextError,
  )

describe('a mark', () => {
  test.each(encodings)('of %s is not data (KF-01)', async (_, encode) => {
    expect(await decode(encode('sku,title,price\nA-1,Mug,9.5\n'))).toBe('sku,title,price\nA-1,Mug,9.5\n')
  })

  test('tells the encoding; without one it is UTF-8', () => {
    expect(detectEncoding(Buffer.from('sku'))).toEqual({ encoding: 'utf-8', mark: false })
    expect(detectEncoding(Buffer.from('\ufeffsku'))).toEqual({ encoding: 'utf-8', mark: true })
    expect(detectEncoding(Buffer.from('\ufeffsku', 'utf16le'))).toEqual({ encoding: 'utf-16le', mark: true })
    expect(detectEncoding(Buffer.from('\ufeffsku', 'utf16le').swap16())).toEqual({ encoding: 'utf-16be', mark: true })
  })

  test('of a file that holds nothing else leaves nothing', async () => {
    for (const [, encode] of encodings) expect(await decode(encode(''))).toBe('')
  })
})

test.each(encodings)('any text comes back from %s, wherever its bytes are cut', async (_, encode) => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('é', '語', '🧦', '\ufffd', '\0', '\r'), fc.string({ unit: 'binary', maxLength: 1 })),
  })
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(200)), async (text, cuts) => {
      fc.pre(!text.startsWith('\ufeff'))
      expect(await decode(encode(text), cuts)).toBe(text)
    }),
  )
})

describe('bytes that are no text', () => {
  const windows1252 = Buffer.from('sku,title\r\nC-1,Caf\xe9 cr\xe8me 250 g \x80\r\n', 'latin1')

  test('are refused with their place and what to do (KF-03)', async () => {
    const error = await failure(windows1252)
    expect(error).toBeInstanceOf(NotTextError)
    expect(error).toMatchObject({ code: 'not_text', offset: 18, line: 2 })
    expect(error.says).toBe(
      'The byte at offset 18 (line 2, after "C-1,Caf") is not valid UTF-8; save the file as UTF-8 and send it again',
    )
  })

  test('are found at the same place however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50)), async (cuts) => {
        expect(await failure(windows1252, cuts)).toMatchObject({ offset: 18, line: 2 })
      }),
    )
  })

  test.each([
    ['a character cut off at the end', Buffer.from('sku\nä').subarray(0, 5), 4],
    ['an overlong form', Buffer.from([0x61, 0xc0, 0xaf]), 1],
    [
      'a byte behind real replacement characters',
      Buffer.concat([Buffer.from('a\ufffd\ufffd'), Buffer.from([0xff])]),
      7,
    ],
    ['half a surrogate pair in UTF-16', Buffer.from('\ufeffa\ud800b', 'utf16le'), 4],
    ['half a surrogate pair in UTF-16BE', Buffer.from('\ufeff\ufffd\udc00b', 'utf16le').swap16(), 4],
    ['half a unit of UTF-16', Buffer.from('\ufeffab', 'utf16le').subarray(0, 5), 4],
  ])('%s', async (_, bytes, offset) => {
    for (let cut = 0; cut <= bytes.length; cut++) expect(await failure(bytes, [cut])).toMatchObject({ offset })
  })
})
