import { describe, expect, test } from 'vitest'
import { pageCells } from '../../../ingest/page/page-cells.ts'
import { pageText } from '../../../ingest/page/page-text.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')

describe('the charset of a page', () => {
  test('is that of its header, whatever its meta says', () => {
    const page = latin('<meta charset=utf-8><title>Café</title>')
    expect(pageText(page, 'text/html; Charset="ISO-8859-1"')).toEqual({
      text: '<meta charset=utf-8><title>Café</title>',
      encoding: 'windows-1252',
    })
  })

  test.each(['<meta charset=latin1>', '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15">'])(
    'is else that of %s',
    (meta) => {
      expect(pageText(latin(`${meta}<title>Café</title>`), 'text/html')?.text).toContain('Café')
      expect(pageText(latin(`${meta}<title>Café</title>`), 'text/html; charset=nonsense')?.text).toContain('Café')
    },
  )

  test('is UTF-8 where nothing says it, and nothing else', () => {
    expect(pageText(Buffer.from('Café'), undefined)).toEqual({ text: 'Café', encoding: 'utf-8' })
    expect(pageText(latin('Café'), 'text/html')).toBeNull()
  })

  test('is read as Windows writes it, where the runtime knows less of it', () => {
    const page = Buffer.concat([Buffer.from('<title>'), Buffer.from('8c63b9e6b0a2c7cf20a2e6', 'hex')])
    expect(pageText(page, 'text/html; charset=ks_c_5601-1987')).toEqual({
      text: '<title>똠방각하 €',
      encoding: 'euc-kr',
    })
  })

  test('is what a mark says, before all', () => {
    expect(pageText(Buffer.from('\uFEFFCafé', 'utf16le'), 'text/html; charset=utf-8')?.text).toBe('Café')
    expect(pageText(Buffer.from('\uFEFFCafé'), 'text/html; charset=latin1')?.text).toBe('Café')
  })
})

test('a field with characters that were lost is left out, and its neighbours are kept', () => {
  const { cells, notes } = pageCells({
    fields: {
      title: { value: 'Caf\uFFFD', source: 'page' },
      brand: { value: 'Lu\u0000mo', source: 'page' },
      color: { value: 'half \uD83D', source: 'page' },
      images: { value: ['https://a.example/\uFFFD', 'https://a.example/b'], source: 'page' },
    },
  })
  expect(cells).toEqual({ brand: 'Lumo', images: ['https://a.example/b'] })
  expect(notes.map(({ code }) => code)).toEqual(Array(3).fill('lost_characters'))
})
