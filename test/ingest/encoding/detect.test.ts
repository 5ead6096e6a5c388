import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectEncoding } from '../../../ingest/encoding/detect.ts'
import { lenientDecoder } from '../../../ingest/encoding/lenient-decoder.ts'
import { encodingNames } from '../../../ingest/encoding/names.ts'
import { inPieces } from '../in-pieces.ts'
import { encoded } from './encoded.ts'

const found = (bytes: Uint8Array, cuts: readonly number[] = [], asked?: Parameters<typeof detectEncoding>[1]) =>
  detectEncoding(inPieces(bytes, cuts), asked)

/** A header, and two products as a shop of that language writes them. */
const files = {
  german: 'sku;Bezeichnung\n1;Müllerin Bügeleisen für Wäsche, groß\n2;Grüne Schüssel, 3 °C',
  french: 'sku;titre\n1;Café crème 250 g\n2;Tasse décorée, très légère, à fleurs',
  spanish: 'sku;nombre\n1;Taza de cerámica, tamaño pequeño\n2;Sillón de jardín, cómodo y fácil de limpiar',
  swedish: 'sku;namn\n1;Kaffekopp i stengods, blå, höjd 9 cm\n2;Stol av trä, målad, för kök',
  polish: 'sku;nazwa\n1;Żółta łyżka do zupy, świetna jakość\n2;Krzesło dębowe, wysokość 90 cm',
  czech: 'sku;název\n1;Židle dřevěná, výška 90 cm, šedá\n2;Příbor leštěný, balení 6 kusů',
  hungarian: 'sku;név\n1;Üvegpohár, hőálló, 6 darabos készlet\n2;Gyűrű ezüst, állítható méret',
  russian: 'sku;Название\n1;Кружка керамическая белая, 300 мл\n2;Стул деревянный, высота 90 см',
  ukrainian: 'sku;Назва\n1;Чашка керамічна біла, їжа та напої\n2;Стілець високий, міцний',
  greek: 'sku;Τίτλος\n1;Κεραμική κούπα λευκή, 300 ml\n2;Ξύλινη καρέκλα, ύψος 90 cm',
  turkish: 'sku;Ürün adı\n1;Seramik kupa beyaz, büyük boy, şık tasarım\n2;Ahşap sandalye, yüksekliği 90 cm',
  hebrew: 'sku;שם\n1;ספל קרמיקה לבן\n2;כיסא עץ גבוה',
  arabic: 'sku;اسم\n1;كوب سيراميك أبيض\n2;كرسي خشبي ارتفاع',
  lithuanian: 'sku;pavadinimas\n1;Keraminis puodelis, šviesiai žalias, aukštis 9 cm\n2;Medinė kėdė, ąžuolas',
  thai: 'sku,ชื่อ\n1,แก้วเซรามิกสีขาว\n2,เก้าอี้ไม้สูง',
  japanese: 'sku,商品名\n1,陶器のマグカップ ホワイト 300ml\n2,木製の椅子、高さ90cm、送料無料',
  chinese: 'sku,商品名称\n1,陶瓷马克杯 白色 300毫升\n2,实木椅子，高度90厘米，黑色',
  traditional: 'sku,商品名稱\n1,藍色馬克杯陶瓷製品 300毫升\n2,實木椅子，高度90公分，黑色',
  registers: 'sku,商品名\n1,ﾏｸﾞｶｯﾌﾟ ﾎﾜｲﾄ 300ml\n2,ｽﾃﾝﾚｽ ﾎﾞﾄﾙ',
  korean: 'sku,상품명\n1,도자기 머그컵 흰색 300ml\n2,나무 의자, 높이 90cm, 무료배송',
  syllables: 'sku,상품명\n1,똠방각하 머그컵 흰색 15000 €\n2,펲시 컵, 무료배송',
}

describe('a file in', () => {
  test.each([
    ['german', 'windows-1252'],
    ['german', 'macintosh'],
    ['french', 'windows-1252'],
    ['spanish', 'windows-1252'],
    ['swedish', 'windows-1252'],
    ['polish', 'windows-1250'],
    ['polish', 'iso-8859-2'],
    ['czech', 'windows-1250'],
    ['czech', 'iso-8859-2'],
    ['hungarian', 'windows-1250'],
    ['russian', 'windows-1251'],
    ['russian', 'koi8-r'],
    ['russian', 'ibm866'],
    ['russian', 'iso-8859-5'],
    ['ukrainian', 'windows-1251'],
    ['ukrainian', 'koi8-u'],
    ['greek', 'windows-1253'],
    ['turkish', 'windows-1254'],
    ['hebrew', 'windows-1255'],
    ['arabic', 'windows-1256'],
    ['lithuanian', 'windows-1257'],
    ['thai', 'windows-874'],
    ['japanese', 'shift_jis'],
    ['japanese', 'euc-jp'],
    ['chinese', 'gb18030'],
    ['registers', 'shift_jis'],
    ['traditional', 'big5'],
    ['traditional', 'gb18030'],
    ['korean', 'euc-kr'],
    ['syllables', 'euc-kr'],
  ] as const)('%s and %s is known by its letters, however it is cut', async (language, encoding) => {
    const bytes = encoded(files[language], encoding)
    expect(lenientDecoder(encoding)(bytes)).toBe(files[language])
    const whole = await found(bytes)
    expect(whole).toMatchObject({ encoding, markBytes: 0, note: expect.stringMatching(/^encoding .*, 9\d % sure: /) })
    for (let cut = 1; cut < bytes.length; cut++) expect(await found(bytes, [cut])).toEqual(whole)
  })

  test.each(Object.entries(files))('%s and UTF-8 is UTF-8, without any doubt', async (_, text) => {
    expect(await found(Buffer.from(text))).toEqual({
      encoding: 'utf-8',
      markBytes: 0,
      whole: true,
      note: 'encoding UTF-8',
    })
  })
})

test.each([
  ['katakana and a kanji', (i: number) => `マグカップ 青 ${i}`],
  ['katakana alone', (i: number) => `マグカップ ${i}`],
  ['sizes and colours', (i: number) => `Tシャツ ブラック M${i}`],
])('%s in Shift_JIS are no words of a Macintosh', async (_, title) => {
  const rows = (header: string, n: number) =>
    `${header}\n${Array.from({ length: n }, (_, i) => `A${i},${title(i)},1${i}00\n`).join('')}`
  for (const text of [rows('sku,title,price', 20), rows('sku,商品名,価格', 10), rows('sku,title,price', 1)])
    expect(await found(encoded(text, 'shift_jis'))).toMatchObject({ encoding: 'shift_jis' })
})

test.each(['|', '^', '~', '\\n', ';', '\t'])(
  'cells whose last letter has an accent, parted by %j, are no pairs of bytes',
  async (mark) => {
    const rows = Array.from({ length: 20 }, (_, i) => [`A${i}`, 'Nestlé', 'Café', `Crème ${i}`, 'qualité'].join(mark))
    const text = `${['sku', 'marque', 'categorie', 'titre', 'note'].join(mark)}\n${rows.join('\n')}\n`
    for (const encoding of ['windows-1252', 'macintosh'] as const)
      expect(await found(encoded(text, encoding))).toMatchObject({ encoding })
  },
)

// Of six such words, which may be the same, one list in 600 was taken for French or for nothing.
test('eight different everyday katakana words or more in Shift_JIS are Shift_JIS', async () => {
  const word = fc.constantFrom(
    ...'マグカップ スニーカー バッグ ブラック ホワイト レッド サイズ コットン レザー ジャケット ランニングシューズ'.split(
      ' ',
    ),
    ...'メンズ レディース キッズ セット ボトル ステンレス テーブル チェア ランプ カーテン タオル ソックス ベルト'.split(
      ' ',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(word, { minLength: 8, maxLength: 20 }), async (words) => {
      const text = `sku,title\n${words.map((one, i) => `A${i},${one} ${i}\n`).join('')}`
      expect(await found(encoded(text, 'shift_jis'))).toMatchObject({ encoding: 'shift_jis' })
    }),
  )
})

test('any text in UTF-8 is read as such, with a mark or without, whatever stands in it', async () => {
  const text = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(100)), async (text, cuts) => {
      fc.pre(!text.startsWith('\ufeff'))
      const note = expect.stringMatching(/^encoding UTF-8(, with mark)?$/)
      expect(await found(Buffer.from(text), cuts)).toMatchObject({ encoding: 'utf-8', whole: true, markBytes: 0, note })
      expect(await found(Buffer.from(`\ufeff${text}`), cuts)).toMatchObject({ whole: true, markBytes: 3, note })
    }),
  )
})

test('UTF-8 with an odd byte is never another encoding (KF-03)', async () => {
  const words = fc.array(fc.constantFrom('Café', 'crème', 'Müller', '語', 'mug', '\n'), { minLength: 3 })
  await fc.assert(
    fc.asyncProperty(words, fc.integer({ min: 0x80, max: 0xff }), fc.nat(), async (words, odd, at) => {
      const text = `é${words.join(' ')}`
      const place = Buffer.byteLength([...text].slice(0, 1 + (at % text.length)).join(''))
      const bytes = Buffer.concat([
        Buffer.from(text).subarray(0, place),
        Buffer.from([odd, 0x0a]),
        Buffer.from(text).subarray(place),
      ])
      expect(await found(bytes)).toMatchObject({ encoding: 'utf-8', whole: false })
    }),
  )
})

describe('what the caller says', () => {
  test.each(encodingNames)('counts: %s', async (name) => {
    expect(await found(Buffer.from('sku\n1\n'), [], name)).toMatchObject({ encoding: name, markBytes: 0 })
  })

  test.each([
    ['utf-8', Buffer.from('\ufeffsku')],
    ['utf-16le', Buffer.from('\ufeffsku', 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffsku', 'utf16le').swap16()],
  ])('does not count against a mark of %s', async (encoding, bytes) => {
    expect(await found(bytes, [], 'windows-1252')).toMatchObject({
      encoding,
      note: expect.stringContaining('with mark'),
    })
  })
})

test('a guess is said to be one', async () => {
  const found = await detectEncoding(inPieces(Buffer.from('sku,title\n1,\xa4\n', 'latin1'), []))
  expect(found?.note).toMatch(/% sure, which is a guess \(say encoding=/)
})

test('nobody is sure of a file with one odd byte, whichever it is, nor of one with the same sign again and again', async () => {
  for (let odd = 0x80; odd <= 0xff; odd++) {
    const byte = String.fromCharCode(odd)
    for (const text of [`A1,Mug\nA2,x${byte}\n`, `A1,Mug\nA2,x${byte}y\n`, `A1,${byte}\n`]) {
      const one = await found(Buffer.from(`sku,title\n${text}`, 'latin1'))
      expect(one?.note ?? ' 10 % sure, which is a guess').toMatch(/ [1-6]\d % sure, which is a guess/)
    }
  }
  const signs = await found(Buffer.from(`sku,title\n${'A,5 \xb0\n'.repeat(500)}`, 'latin1'))
  expect(signs?.note).toMatch(/ 40 % sure, which is a guess .*: it has no letters beyond ASCII/)
})

test('many rows in Big5 are as well known as a few', async () => {
  const row = 'A1,藍色馬克杯陶瓷製品1,15.00,這是一個漂亮的馬克杯\n'
  for (const rows of [1, 2, 50])
    expect(await found(encoded(`sku,title,price,text\n${row.repeat(rows)}`, 'big5'))).toMatchObject({
      encoding: 'big5',
    })
})

test.each([
  [
    'what no encoding here makes words of',
    Buffer.from('sku;title\n1;f\x81r M\x84dchen\n2;K\x81che, gr\x81n\n', 'latin1'),
  ],
])('%s is none', async (_, bytes) => {
  expect(await found(bytes)).toBeNull()
})

test.each(['utf-16le', 'utf-16be'] as const)(
  '%s without a mark is known by where its NUL bytes stand',
  async (encoding) => {
    for (const text of Object.values(files)) {
      const bytes = Buffer.from(text, 'utf16le')
      expect(await found(encoding === 'utf-16le' ? bytes : bytes.swap16())).toMatchObject({ encoding, markBytes: 0 })
    }
  },
)

test('a NUL or two in a cell of UTF-8 make no UTF-16 of it (KF-18)', async () => {
  expect(await found(Buffer.from(`sku,title\n1,Pen\0 blue\n${'2,Cup\n'.repeat(30)}`))).toMatchObject({
    encoding: 'utf-8',
  })
})
