import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readIdentifier, readText, readTitle } from '../../../transforms/silver/text.ts'

describe('a title', () => {
  test.each([
    ['Pen\b Set 🚀\0 blue', 'Pen Set 🚀 blue'],
    ['  Mug \t with\n handle ', 'Mug with handle'],
    ['T&eacute; &amp;amp; caf&#233;', 'Té & café'],
    ['<b>Bold</b> mug', 'Bold mug'],
    ['AT&T 5 < 6 > 4 & I <3 you', 'AT&T 5 < 6 > 4 & I <3 you'],
    ['Cafe\u0301', 'Café'],
    ['\ufeffzero\u200bwidth\u00ad', 'zerowidth'],
    ['family 👩‍👩‍👧 and 👍🏽', 'family 👩‍👩‍👧 and 👍🏽'],
    ['stray\u200djoiner', 'strayjoiner'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['half \ud83d pair', 'half pair'],
    ['no &#0;character&#xd800;', 'no character'],
  ])('%j becomes %j (KF-18)', (raw, title) => {
    expect(readTitle(raw)).toBe(title)
  })

  test.each(['', '   ', '<p></p>', '\0', '<script>alert(1)</script>'])('of nothing visible (%j) is none', (raw) => {
    expect(readTitle(raw)).toBeNull()
  })

  test.each([
    ...[
      '\u3164\u3164',
      '\uffa0',
      '\u115f\u1160',
      '\u2800 \u2800',
      '\u{e0041}\u{e0042}',
      '\ufe0f',
      '\u0301',
      '\ufffd\ufffd',
    ],
    ...['\u034f', '\u180e', '\u17b4', '<b>\u3164</b>', '&#x3164;', '\u3164 \u2800'],
  ])('of signs that show nothing (%j) is none, and so is a text or an identifier of them (KF-18)', (raw) => {
    for (const read of [readTitle, readText]) expect(read(raw)).toBeNull()
    if (!/[<&]/.test(raw)) expect(readIdentifier(raw)).toBeNull()
  })

  test.each([
    ['가\u3164나', '가 나'],
    ['Mug\u{e0069}\u{e0067}\u{e006e}ore', 'Mugore'],
    ['A\u034fB\u115f\u17b4C', 'ABC'],
    ['Mug\u2800\u2800blue', 'Mug blue'],
    ['M\ufe0f\ufe01\u{e0105}ug', 'M\ufe0fug'],
    ['🏴\u{e0067}\u{e0062}\u{e007f} flag\u{e0067}', '🏴\u{e0067}\u{e0062}\u{e007f} flag'],
    ['葛\u{e0100}城', '葛\u{e0100}城'],
  ])('%j loses the words that nobody sees: %j', (raw, text) => {
    for (const read of [readTitle, readText]) expect(read(raw)).toBe(text)
  })

  test('takes time by its length alone, whatever unseen signs it is made of', () => {
    for (const unseen of ['\u{e0041}', '\u{e0101}', '\ufe0f', '\u200d', '\u3164', '\u{1f3f4}\u{e0067}']) {
      const began = performance.now()
      readTitle(`Mug ${unseen.repeat(2 ** 18)}`)
      expect(performance.now() - began, JSON.stringify(unseen)).toBeLessThan(5_000)
    }
  })

  test.each(['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '1\ufe0f\u20e3', '⠓⠊', 'Caf\ufffd'])(
    'that shows something stays: %j',
    (raw) => {
      expect(readTitle(raw)).toBe(raw)
    },
  )
})

describe('a text', () => {
  test('keeps paragraphs, line breaks and list items as lines', () => {
    const html =
      '<h2>Mug</h2>\n<p>Made of\nstoneware.<br>Holds 350&nbsp;ml</p><ul>\n <li>blue</li>\n <li>green</li>\n</ul><div>End</div>'
    expect(readText(html)).toBe('Mug\n\nMade of stoneware.\nHolds 350 ml\n\nblue\ngreen\n\nEnd')
    expect(readText('one\r\ntwo  three\n\n\n\nfour')).toBe('one\ntwo three\n\nfour')
  })

  test('loses what is not for readers', () => {
    const html =
      '<style>p { color: red }</style><!-- note --><iframe src="x"></iframe>Mug<script>if (a < b) x()</script>'
    expect(readText(html)).toBe('Mug')
    expect(readText('<![CDATA[<b>Mug</b>]]>')).toBe('Mug')
    expect(readText('<a title="a > b" href=\'x\'>Mug</a>')).toBe('Mug')
  })

  test('is unwrapped where its markup was escaped', () => {
    expect(readText('&lt;p&gt;Caf&amp;eacute;&lt;/p&gt;&lt;p&gt;noir&lt;/p&gt;')).toBe('Café\n\nnoir')
  })

  test('of any characters holds no control, no half pair and no needless space, and reads as itself again', () => {
    const pieces = fc.constantFrom(
      '<p>',
      '</p>',
      '<li>',
      '&amp;',
      '&lt;',
      '\u200d',
      '👩',
      '\n',
      '  ',
      '<script>',
      '\ud800',
      '\0',
      'é',
      '<',
    )
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(pieces, fc.string())).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(any, (raw) => {
        for (const text of [readText(raw), readTitle(raw), readIdentifier(raw)]) {
          if (text === null) continue
          expect(text.isWellFormed()).toBe(true)
          expect(text).toBe(text.normalize('NFC').trim())
          expect(text).not.toMatch(/(?![\t\n\r])\p{Cc}|\ufeff/u)
        }
        expect(readTitle(raw) ?? '').not.toMatch(/\s\s|\n/)
        expect(readText(raw) ?? '').not.toMatch(/ {2}|\n{3}| \n/)
      }),
    )
  })

  test('of hostile markup takes no longer than honest text', () => {
    const started = performance.now()
    for (const piece of ['<', '<b ', '<!--', '<script', '<b "', '<svg>', '\u200d', '  \n', '<b a="x>'])
      readText(piece.repeat(100_000 / piece.length))
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

test('an identifier is trimmed of all Unicode space and otherwise as given (KF-11)', () => {
  for (const raw of ['AB-9', ' AB-9', 'AB-9 ', 'AB-9\u00a0', '\ufeffAB-9']) expect(readIdentifier(raw)).toBe('AB-9')
  expect(readIdentifier('00<a>&amp;  b')).toBe('00<a>&amp;  b')
})
