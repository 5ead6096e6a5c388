import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readImages, readLink } from '../../../transforms/silver/images.ts'

const cdn = (name: string) => `https://cdn.example.test/${name}`

describe('an image address (KF-20)', () => {
  test.each([
    [
      'https://shop.example.test/media/Größe vorn.jpg'.normalize('NFC'),
      'https://shop.example.test/media/Gr%C3%B6%C3%9Fe%20vorn.jpg',
    ],
    [
      'https://shop.example.test/media/Größe vorn.jpg'.normalize('NFD'),
      'https://shop.example.test/media/Gro%CC%88%C3%9Fe%20vorn.jpg',
    ],
    ['https://shop.example.test/media/My%20Jug.jpg', 'https://shop.example.test/media/My%20Jug.jpg'],
    [cdn('100%.jpg'), cdn('100%25.jpg')],
    [cdn('{a}.jpg?x=[1]'), cdn('%7Ba%7D.jpg?x=%5B1%5D')],
    [cdn('i?id=77&x=260&t=image/jpeg'), cdn('i?id=77&x=260&t=image/jpeg')],
    [cdn('a.jpg?x=1&amp;y=2'), cdn('a.jpg?x=1&y=2')],
    ['HTTPS://cdn.example.test/a.jpg', cdn('a.jpg')],
    ['https://bücher.example/a.jpg', 'https://xn--bcher-kva.example/a.jpg'],
  ])('%j is %s', (raw, address) => {
    expect(readImages(raw)).toEqual({ value: [address], findings: [] })
  })

  test.each([
    ['/m/h/mh01-black_main.jpg', 'image_not_absolute'],
    ['derick-david-409858-unsplash.jpg', 'image_not_absolute'],
    ['//cdn.example.test/a.jpg', 'image_not_absolute'],
    ['htp:/broken', 'image_invalid'],
    ['https://', 'image_invalid'],
    ['https://cdn .example.test/a.jpg', 'image_invalid'],
    ['data:image/png;base64,AAAA', 'image_invalid'],
  ])('%j is none: %s', (raw, code) => {
    expect(readImages(raw)).toMatchObject({ value: [], findings: [{ code, raw }] })
  })

  test('once repaired is repaired: a second reading changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (rest) => {
        const [once] = readImages([`https://cdn.example.test/${rest.replace(/[\s,;|]/g, '')}x`]).value
        if (once !== undefined) expect(readLink(once).value).toBe(once)
      }),
    )
  })
})

describe('a list of images', () => {
  test.each([
    [`${cdn('a.jpg')}, ${cdn('b.jpg')},${cdn('c.jpg')}`, [cdn('a.jpg'), cdn('b.jpg'), cdn('c.jpg')]],
    [`${cdn('a.jpg')}|${cdn('b.jpg')}`, [cdn('a.jpg'), cdn('b.jpg')]],
    [`${cdn('a.jpg')}\n${cdn('b.jpg')}`, [cdn('a.jpg'), cdn('b.jpg')]],
    [JSON.stringify([cdn('a.jpg'), { url: cdn('b.jpg') }]), [cdn('a.jpg'), cdn('b.jpg')]],
    [cdn('w_100,h_100/a.jpg'), [cdn('w_100,h_100/a.jpg')]],
    [`${cdn('w_1,h_1/a.jpg')},${cdn('w_2,h_2/b.jpg')}`, [cdn('w_1,h_1/a.jpg'), cdn('w_2,h_2/b.jpg')]],
    [
      [cdn('a.jpg'), cdn('b.jpg'), cdn('a.jpg')],
      [cdn('a.jpg'), cdn('b.jpg')],
    ],
    ['', []],
  ])('%j keeps its order, each address once', (cells, addresses) => {
    expect(readImages(cells)).toEqual({ value: addresses, findings: [] })
  })

  test('of objects has their addresses, and tells of one that has none', () => {
    const shop = [{ id: 1, src: cdn('a.jpg') }, { href: cdn('b.jpg') }, { id: 3, file: 'c' }, {}, null]
    const { value, findings } = readImages(JSON.stringify(shop))
    expect(value).toEqual([cdn('a.jpg'), cdn('b.jpg')])
    expect(findings).toMatchObject([{ code: 'image_not_absolute', raw: '{id, file}' }])
    expect(readImages(JSON.stringify({ src: cdn('a.jpg') })).value).toEqual([cdn('a.jpg')])
  })

  test('of file names reports each name', () => {
    const { value, findings } = readImages('mug.jpg|jug.jpg')
    expect(value).toEqual([])
    expect(findings.map(({ raw }) => raw)).toEqual(['mug.jpg', 'jug.jpg'])
  })
})

test('a link is read like an image address, under its own codes', () => {
  expect(readLink('https://shop.example.test/tee').value).toBe('https://shop.example.test/tee')
  expect(readLink('/products/tee')).toMatchObject({ value: null, findings: [{ code: 'link_not_absolute' }] })
  expect(readLink('javascript:alert(1)')).toMatchObject({ value: null, findings: [{ code: 'link_invalid' }] })
})
