import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseSource } from '../../ingest/choose-source.ts'

const known = (source: string, ...header: string[]) => ({ source: `file:${source}`, header, lastRows: null })
const choose = (header: string, named: string | undefined, ...sources: ReturnType<typeof known>[]) =>
  chooseSource([...header], named, sources)
const refusal = (code: string) => expect.objectContaining({ code })

describe('the source of a file', () => {
  test('is the one that the caller names, however near another is', () => {
    expect(choose('abc', 'Lumo GmbH', known('one', ...'abc'))).toEqual({
      source: 'file:Lumo GmbH',
      reason: 'source Lumo GmbH: named by the caller',
    })
  })

  test.each(['', ' a', 'a/b', '../a', 'a:b', 'x'.repeat(81), 'a\u0000'])('cannot be named %j', (name) => {
    expect(() => choose('abc', name)).toThrow(refusal('source_name'))
  })

  test.each(['müller & söhne'.replace(' & ', ' und '), '商品', 'a', 'v1.2_x-3', 'x'.repeat(80)])(
    'can be named %j',
    (name) => {
      expect(choose('abc', name).source).toBe(`file:${name}`)
    },
  )

  test('of a file of options is another than that of the products, which may have the same name', () => {
    const header = ['商品管理番号（商品URL）', '項目選択肢別在庫用横軸選択肢', '項目選択肢別在庫用在庫数']
    expect(chooseSource(header, 'Lumo', []).source).toBe('file:Lumo (options)')
    expect(() => chooseSource(header, 'Lumo (options)', [])).toThrow(refusal('source_name'))
  })

  test('is the one whose header is nearest, and the share is told', () => {
    expect(choose('abcd', undefined, known('far', ...'abxy'), known('near', ...'abce'))).toEqual({
      source: 'file:near',
      reason: "source near: its header shares 60 % with this file's",
    })
  })

  test.each([
    ['abcd', 'ab', true],
    ['abc', 'ab', true],
    ['abc', 'a', false],
    ['abcd', 'abef', false],
    ['ab', 'ba', true],
  ])('needs half of the union shared: %s and %s, %j', (mine, theirs, near) => {
    expect(choose(mine, undefined, known('one', ...theirs)).source === 'file:one').toBe(near)
  })

  test('is asked for where two are equally near', () => {
    expect(() => choose('abc', undefined, known('one', ...'ab'), known('two', ...'bc'))).toThrow(refusal('source_tie'))
    const nearer = choose('abc', undefined, known('one', ...'ab'), known('two', ...'bc'), known('best', ...'abc'))
    expect(nearer.source).toBe('file:best')
  })

  test('that is new is named by its header, whose order tells nothing', () => {
    const columns = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(columns, columns, (mine, other) => {
        const { source, reason } = chooseSource(mine, undefined, [])
        expect(source).toMatch(/^file:[0-9a-f]{12}$/)
        expect(reason).toContain('new, named by its header')
        expect(chooseSource(mine.toReversed(), undefined, []).source).toBe(source)
        const same = new Set([...mine, ...other]).size === mine.length && mine.length === other.length
        expect(chooseSource(other, undefined, []).source === source).toBe(same)
      }),
    )
  })
})
