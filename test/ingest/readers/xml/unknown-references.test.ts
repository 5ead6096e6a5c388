import { describe, expect, test } from 'vitest'
import { readXml } from './read-xml.ts'

const feed = (...titles: string[]) =>
  `<rss><channel>\n${titles.map((title, i) => `<item><id>${i}</id><title>${title}</title></item>`).join('\n')}\n</channel></rss>`

const titlesOf = async (...titles: string[]) => {
  const { products, notes } = await readXml(feed(...titles))
  return { titles: products.map(({ title }) => title), said: notes.filter((note) => note.includes('no reference')) }
}

describe('what XML does not know for a reference stays as it is written, and costs no row', () => {
  test.each([
    ['70&nbsp;cm'],
    ['Salt & Pepper'],
    ['Salt &'],
    ['a=1&b=2&copy=3'],
    ['&;'],
    ['&constructor;'],
    ['&__proto__;'],
    ['&#xD800;'],
    ['&#0;'],
    ['&#99999999999;'],
    ['&&amp'],
  ])('%s', async (written) => {
    const { titles, said } = await titlesOf('Mug', written, 'Jug')
    expect(titles).toEqual(['Mug', written, 'Jug'])
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/ times an & .* on line 3;/)
  })

  test('how many there are, and where the first is, is told once', async () => {
    const { titles, said } = await titlesOf('A &amp; B &#228; &#xE4;', 'A & B', '&nbsp;&nbsp;')
    expect(titles).toEqual(['A & B ä ä', 'A & B', '&nbsp;&nbsp;'])
    expect(said).toEqual([
      '3 times an & begins no reference that XML knows, first "&" on line 3; it was read as it is written. Write & as &amp;, and other characters as themselves',
    ])
  })

  test('in an attribute as in a text', async () => {
    const { products } = await readXml('<shop><thing id="1" name="a & b"/>\n<thing id="2" name="&eacute;"/></shop>')
    expect(products.map((product) => product['@name'])).toEqual(['a & b', '&eacute;'])
  })

  test('of a file without any nothing is told', async () => {
    expect((await titlesOf('A &lt; B', '&quot;C&apos;')).said).toEqual([])
  })
})
