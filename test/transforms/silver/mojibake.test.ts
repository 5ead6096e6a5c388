import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { repairMojibake } from '../../../transforms/silver/mojibake.ts'

/** As a reader shows the bytes that takes them for Latin-1, whose upper half Windows-1252 fills with signs. */
const latin = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
const windows = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8'))

describe('a text that was read in the wrong encoding', () => {
  test.each([
    ['GrÃ¶ÃŸe', 'Größe'],
    ['donâ€™t', 'don’t'],
    ['5 Â°C', '5 °C'],
    ['30Ã—40 cm', '30×40 cm'],
    ['CÃ”TE Dâ€™AZUR', 'CÔTE D’AZUR'],
    ['CafÃ© crÃ¨me', 'Café crème'],
    ['Å¼Ã³Å‚ty', 'żółty'],
    ['Pen ðŸš€ blue', 'Pen 🚀 blue'],
    ['Ð§Ð°Ð¹Ð½Ð¸Ðº', 'Чайник'],
    ['<p>MÃ¼ller &amp; SÃ¶hne</p>', '<p>Müller &amp; Söhne</p>'],
    ['BRANDÂ® mug', 'BRAND® mug'],
  ])('%j is taken back to %j', (raw, text) => {
    expect(repairMojibake(raw)).toBe(text)
  })

  test('is taken back from either encoding, once and twice', () => {
    for (const text of ['Größe', 'Żółw', 'Ёлка и чай', '電気ケトル', 'naïve “quoted”'])
      for (const spoil of [latin, windows]) {
        expect(repairMojibake(spoil(text)), text).toBe(text)
        expect(repairMojibake(spoil(spoil(text))), text).toBe(text)
      }
  })
})

describe('a text that is as it was written', () => {
  test.each([
    'Größe',
    'NESCAFÉ® Gold',
    'CAFÉ™',
    'SMÅ® lamp',
    'FJÄLLRÄVØ®',
    'Fabriqué à «Paris»',
    'Beauté»…',
    'café\u00a0»',
    'LEITE DA IRMÃ”',
    'SÃO PAULO',
    '12 °C ± 1 °C',
    'Müller GrÃ¶ße',
    'Pâté',
    'ÄÖÜ äöü',
    'Ω € ™',
    '',
  ])('%j is left', (text) => {
    expect(repairMojibake(text)).toBeNull()
  })

  test('in any letters of our languages is left', () => {
    const letter = fc.constantFrom(...'aeiou nstr äöüßéèàçñõãçłżśřěůŁŻÄÖÜÉ’“”–€®™ 中文字かなпривет')
    fc.assert(
      fc.property(fc.array(letter, { minLength: 3, maxLength: 30 }), (letters) => {
        const text = `Oak ${letters.join('')}`
        const meant = repairMojibake(text)
        // Only what the bytes of UTF-8 give can be taken back, and it is the same bytes.
        if (meant !== null) expect([latin(meant), windows(meant)]).toContain(text)
      }),
    )
  })

  test('whatever it is, it is never spoiled further: what is taken back has fewer strange signs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const meant = repairMojibake(text)
        if (meant !== null) expect(Array.from(meant).length).toBeLessThan(Array.from(text).length)
      }),
    )
  })
})
