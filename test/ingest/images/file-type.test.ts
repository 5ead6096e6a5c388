import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bmpSize, fileType } from '../../../ingest/images/file-type.ts'
import { bmp, drawn } from './drawn.ts'

test.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)('%s is known by its first bytes', async (format) => {
  expect(fileType(await drawn(1, 40, 40, format))).toMatchObject({ type: format, image: true })
})

test.each<[string, boolean, string | Buffer]>([
  ['html', false, '<!DOCTYPE html><title>Not found</title>'],
  ['html', false, '\n\n<!-- shop --><HTML lang="de">'],
  ['html', false, '\xef\xbb\xbf<html><body>gone</body></html>'],
  ['svg', true, '<?xml version="1.0"?>\n<svg width="10"/>'],
  ['xml', false, '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
  ['json', false, ' {"error":"not found"}'],
  ['text', false, 'File not found.'],
  ['pdf', false, '%PDF-1.7'],
  ['zip', false, 'PK\x03\x04'],
  ['mp4', false, '\0\0\0\x18ftypisom'],
  ['empty', false, ''],
  ['unknown', false, '\x01\x02\x03\x04'],
  ['bmp', true, bmp(3, 2)],
  ['text', false, 'BM is the maker of this mug, and this is a text about it.'],
  ['ico', true, '\0\0\x01\0\x01\0'],
])('%s (an image: %s) is known', (type, image, bytes) => {
  expect(fileType(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1'))).toMatchObject({ type, image })
})

test('any bytes are something', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1_024 }), (bytes) => {
      const { type, says } = fileType(Buffer.from(bytes))
      expect(`${type}${says}`).not.toContain('undefined')
    }),
  )
})

test('a BMP tells its size, whichever way its rows go', () => {
  expect(bmpSize(bmp(640, 480))).toEqual({ width: 640, height: 480 })
})
