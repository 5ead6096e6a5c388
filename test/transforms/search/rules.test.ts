import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unrefined } from '../../../schemas/product.ts'
import { type RuleCondition, ruleContent, type SearchRule, type Selection } from '../../../schemas/search-rule.ts'
import type { IndexedProduct } from '../../../transforms/search/build-segment.ts'
import { noFilter } from '../../../transforms/search/filter-documents.ts'
import { findDocument } from '../../../transforms/search/find-document.ts'
import { isSelected } from '../../../transforms/search/is-selected.ts'
import { placePins, type Resume } from '../../../transforms/search/place-pins.ts'
import { readQuery } from '../../../transforms/search/read-query.ts'
import { askedKeys, isMeant, ruledSearch, ruleKeys } from '../../../transforms/search/rule-keys.ts'
import { openSearcher, type Question } from '../../../transforms/search/search-segments.ts'
import { idText, idWords } from '../../../transforms/search/segment-columns.ts'
import { opened } from './opened.ts'

const condition = fc.record<RuleCondition>({
  queries: fc.array(fc.constantFrom('Red Mug', 'mug', 'MÜG', 'red', '13 inch', '自転車'), { maxLength: 2 }),
  match: fc.constantFrom('exact', 'contains'),
  categories: fc.array(fc.constantFrom('Shoes', 'shoes > Boots', 'Boots', 'Home > Shoes'), { maxLength: 2 }),
})

describe('when a rule holds', () => {
  const meant = (when: Partial<RuleCondition>, q: string, categories: string[][] = []) =>
    isMeant({ queries: [], match: 'exact', categories: [], ...when }, ruledSearch([readQuery(q, [])], categories))

  test('a query is compared whole or as a run of words, without case, accents and marks', () => {
    expect(meant({ queries: ['Café noir'] }, 'cafe-NOIR')).toBe(false)
    expect(meant({ queries: ['Café noir'] }, 'CAFE  noir!')).toBe(true)
    expect(meant({ queries: ['cafe'] }, 'cafe noir')).toBe(false)
    expect(meant({ queries: ['cafe'], match: 'contains' }, 'le café noir')).toBe(true)
    expect(meant({ queries: ['afe'], match: 'contains' }, 'le café noir')).toBe(false)
    expect(meant({ queries: ['noir cafe'], match: 'contains' }, 'le café noir')).toBe(false)
    expect(meant({}, '')).toBe(true)
  })

  test('a category holds for itself and for what lies under it; both conditions must hold', () => {
    const boots = [['Shoes', 'Boots']]
    expect(meant({ categories: ['shoes'] }, '', boots)).toBe(true)
    expect(meant({ categories: ['Boots'] }, '', boots)).toBe(true)
    expect(meant({ categories: ['Shoes > Boots'] }, '', boots)).toBe(true)
    expect(meant({ categories: ['Shoes > Boots'] }, '', [['Shoes']])).toBe(false)
    expect(meant({ categories: ['Shoes'] }, 'shoes')).toBe(false)
    expect(meant({ categories: ['Shoes'], queries: ['red'] }, 'blue', boots)).toBe(false)
    expect(meant({ categories: ['Shoes'], queries: ['red'] }, 'Red', boots)).toBe(true)
  })

  test('each rule that holds is found by a key that is asked for', () => {
    const typed = fc.array(fc.constantFrom('red', 'mug', 'Mug', 'müg', '13"', '自転車', '!', 'big'), { maxLength: 4 })
    const path = fc.array(fc.constantFrom('Shoes', 'Boots', 'BOOTS', 'Home'), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(condition, typed, fc.array(path, { maxLength: 2 }), (when, words, categories) => {
        const ruled = ruledSearch([readQuery(words.join(' '), [])], categories)
        const keys = new Set(askedKeys(ruled))
        if (isMeant(when, ruled)) expect(ruleKeys(when).some((key) => keys.has(key))).toBe(true)
      }),
    )
  })

  test('of whatever letters a query is, its keys fit into an index, and it is found by them', () => {
    const letters = fc.constantFrom(...'電動自転車工具ﷺﷲﷻﬃàგ語 ', '𠮷')
    fc.assert(
      fc.property(fc.array(letters, { minLength: 200, maxLength: 500 }), (typed) => {
        const text = typed.join('').slice(0, 512).toWellFormed()
        const when = { ...ruleContent.parse({}).when, queries: [text], categories: [text.slice(0, 500).toWellFormed()] }
        fc.pre(readQuery(text, []).words.length > 0)
        for (const key of [...ruleKeys(when), ...ruleKeys({ ...when, queries: [] })])
          expect(Buffer.byteLength(key)).toBeLessThan(2_600)
        const ruled = ruledSearch([readQuery(text, [])], [when.categories])
        expect(isMeant({ ...when, categories: [] }, ruled)).toBe(true)
        expect(askedKeys(ruled)).toEqual(expect.arrayContaining(ruleKeys(when)))
      }),
      { numRuns: 30 },
    )
  })
})

test('pages of any sizes are the one long page: nothing twice, nothing missed, each pin at its place or at the end', () => {
  const row = (id: string) => ({ rank: 0, segment: 0, id })
  fc.assert(
    fc.property(
      fc.nat(12),
      fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 30 }),
      (n, positions, sizes) => {
        const rows = Array.from({ length: n }, (_, i) => row(`r${i}`))
        const pins = positions.sort((a, b) => a - b).map((position, i) => ({ row: row(`p${i}`), position }))
        const whole = placePins(rows, pins, 100, null).page.map(({ id }) => id)
        expect([...whole].sort()).toEqual([...rows, ...pins.map((pin) => pin.row)].map(({ id }) => id).sort())
        let slot = 0
        for (const [i, { position }] of pins.entries()) {
          slot = Math.max(slot + 1, position)
          expect(whole.indexOf(`p${i}`)).toBe(Math.min(slot - 1, n + i))
        }
        const met: string[] = []
        let after: Resume | null = null
        for (const size of [...sizes, ...sizes, 100]) {
          // The heap holds what stands behind the place, and one more than a page.
          const from: number = after?.place ? rows.findIndex(({ id }) => id === after?.place?.id) + 1 : 0
          const found: ReturnType<typeof placePins> = placePins(rows.slice(from, from + size + 1), pins, size, after)
          met.push(...found.page.map(({ id }) => id))
          after = found.next
          if (!after) break
        }
        expect(met).toEqual(whole)
      },
    ),
  )
})

const idOf = (n: number) => `00000000-0000-8000-8000-${n.toString(16).padStart(12, '0')}`
const words = ['red mug', 'blue mug', 'red chair', 'lamp']
const product = fc.record({
  title: fc.constantFrom(...words),
  brand: fc.constantFrom('Lumo', 'LÜMO', 'Other', '', null),
  categoryPath: fc.constantFrom([], ['Home'], ['Home', 'Mugs'], ['Shop', 'Home']),
  color: fc.constantFrom('red', 'Rot', null),
  tags: fc.subarray(['new', 'Sale']),
  score: fc.integer({ min: 0, max: 100 }),
})
const selection: fc.Arbitrary<Selection> = fc.record({
  products: fc.uniqueArray(fc.nat(11).map(idOf), { maxLength: 3 }),
  brands: fc.subarray(['lumo', 'OTHER'], { maxLength: 1 }),
  categories: fc.subarray(['home', 'Home > Mugs'], { maxLength: 1 }),
  attributes: fc.subarray(['color:RED', 'color:rot', 'tag:sale'], { maxLength: 2 }),
})
const rule = fc.record({
  catalog: fc.constantFrom(null, 'a', 'b'),
  pins: fc.uniqueArray(fc.record({ product: fc.nat(11).map(idOf), position: fc.integer({ min: 1, max: 6 }) }), {
    selector: ({ product }) => product,
    maxLength: 2,
  }),
  hide: fc.array(selection, { maxLength: 1 }),
  boosts: fc.array(
    fc.tuple(selection, fc.integer({ min: -10, max: 10 })).map(([of, steps]) => ({ ...of, steps })),
    { maxLength: 2 },
  ),
})

describe('what rules do', () => {
  const [searcher, hasty] = [openSearcher(), openSearcher(1)]
  const question: Omit<Question, 'query'> = {
    ...{ filter: noFilter, sort: 'relevance', facets: ['brand'], limit: 100, after: null, atMs: 0, rules: [] },
  }

  test('against a plain model: what is hidden is neither found nor counted, pins stand where they are to, the rest follows by rank', () => {
    const asked = fc.constantFrom('', 'mug', 'red', 'red mug', 'chair lamp')
    const filter = fc.constantFrom(noFilter, { ...noFilter, brands: ['Other'] })
    const sort = fc.constantFrom('relevance' as const, 'score' as const)
    fc.assert(
      fc.property(
        fc.array(product, { maxLength: 12 }),
        fc.array(rule, { maxLength: 3 }),
        ...([asked, filter, sort, fc.nat(0xfff)] as const),
        (made, given, q, filter, sort, gone) => {
          const all = made.map((one, i): IndexedProduct & { readonly of: string } => ({
            ...{ id: idOf(i), kind: 'single', createdAt: '2026-01-01T00:00:00Z', valid: 0, score: one.score },
            ...{ product: { ...unrefined, ...one }, of: i % 2 === 0 ? 'a' : 'b' },
          }))
          const rules = given.map(
            (one, i): SearchRule => ({ ...ruleContent.parse({}), ...one, id: String(i), locale: null, priority: 0 }),
          )
          const isGone = (i: number) => ((gone >> i) & 1) === 1
          const segments = ['a', 'b'].map((catalog) => {
            const own = all.filter(({ of }) => of === catalog)
            return opened(
              own,
              catalog,
              Uint8Array.from(own, ({ id }) => Number(isGone(Number.parseInt(id.slice(-2), 16)))),
            )
          })
          const ask = (rules: readonly SearchRule[], limit = 100) =>
            searcher(segments, { ...question, query: readQuery(q, ['en']), filter, sort, rules, limit })
          const plain = ask([])
          const found = ask(rules)
          const byId = new Map(all.map((one) => [one.id, one]))
          const holds = (catalog: string | null, id: string) => catalog === null || byId.get(id)?.of === catalog
          const isHidden = (id: string) =>
            rules.some(({ catalog, hide }) =>
              hide.some((of) => holds(catalog, id) && isSelected(of, id, byId.get(id)?.product ?? unrefined)),
            )
          const isThere = (id: string) => {
            const one = byId.get(id)
            const passes = filter.brands.length === 0 || one?.product.brand === 'Other'
            return one !== undefined && passes && !isGone(all.indexOf(one)) && !isHidden(id)
          }
          const pins =
            sort !== 'relevance'
              ? []
              : rules
                  .flatMap(({ catalog, pins }) =>
                    pins.filter(({ product }) => holds(catalog, product) && isThere(product)),
                  )
                  .filter(({ product }, i, of) => of.findIndex((pin) => pin.product === product) === i)
                  .sort((a, b) => a.position - b.position)
          const pinned = new Set(pins.map((pin) => pin.product))
          const others = plain.rows.map(({ id }) => id).filter((id) => !isHidden(id) && !pinned.has(id))
          const ids = found.rows.map(({ id }) => id)
          expect([...ids].sort()).toEqual([...others, ...pinned].sort())
          expect(found.total).toBe(ids.length)
          expect(found.facets.brand?.reduce((sum, { count }) => sum + count, 0)).toBe(
            ids.filter((id) => byId.get(id)?.product.brand).length,
          )
          let slot = 0
          for (const [i, { product, position }] of pins.entries()) {
            slot = Math.max(slot + 1, position)
            expect(ids.indexOf(product)).toBe(Math.min(slot - 1, others.length + i))
          }
          const boosted = sort === 'relevance' && rules.some(({ boosts }) => boosts.length > 0)
          if (!boosted) expect(ids.filter((id) => !pinned.has(id))).toEqual(others)
          const paged = (search: typeof searcher) => {
            const met: string[] = []
            for (let after: Resume | null = null; ; ) {
              const page: ReturnType<typeof searcher> = search(segments, {
                ...{ ...question, query: readQuery(q, ['en']), filter, sort, rules, limit: 2, after },
              })
              met.push(...page.rows.map(({ id }) => id))
              expect(page.total).toBe(found.total)
              after = page.next
              if (!after) return met
            }
          }
          expect(paged(searcher)).toEqual(ids)
          // Where few are looked at closely their order is another, and they are the same.
          expect(paged(hasty).sort()).toEqual([...ids].sort())
        },
      ),
      { numRuns: 300 },
    )
  })

  const shelf = (titles: readonly string[]) =>
    opened(
      titles.map((title, i) => ({
        ...{ id: idOf(i), kind: 'single' as const, createdAt: '2026-01-01T00:00:00Z', valid: 0, score: 50 },
        product: { ...unrefined, title, sku: `SK-${i}`, brand: `B${i}` },
      })),
      'a',
    )
  const order = (titles: readonly string[], q: string, boosts: SearchRule['boosts']) => {
    const rules: SearchRule[] = [
      { ...ruleContent.parse({ boosts }), id: 'r', catalog: null, locale: null, priority: 0 },
    ]
    const { rows } = searcher([shelf(titles)], { ...question, query: readQuery(q, ['en']), rules })
    return rows.map(({ id }) => Number.parseInt(id.slice(-2), 16))
  }
  const nothing = { products: [], brands: [], categories: [], attributes: [] }

  test('ten steps bring the last first and the first last; an identifier that was typed stays first', () => {
    const mugs = ['mug', 'mug and plate', 'a large set of plates with a mug for tea']
    expect(order(mugs, 'mug', [])).toEqual([0, 1, 2])
    expect(order(mugs, 'mug', [{ ...nothing, brands: ['b2'], steps: 10 }])).toEqual([2, 0, 1])
    expect(order(mugs, 'mug', [{ ...nothing, brands: ['b0'], steps: -10 }])).toEqual([1, 2, 0])
    expect(order(mugs, '', [{ ...nothing, products: [idOf(1)], steps: 1 }])[0]).toBe(1)
    expect(order([...mugs, 'SK-0'], 'SK-0', [{ ...nothing, brands: ['b3'], steps: 10 }])[0]).toBe(0)
  })
})

test('each product is found by its id, and what the version has not is not', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 60 }), fc.uuid(), (ids, other) => {
      const gone = Uint8Array.from(ids, (_, i) => Number(i % 3 === 0))
      const segment = opened(
        ids.map((id) => ({ id, kind: 'single', createdAt: '', valid: 0, score: null, product: unrefined })),
        'a',
        gone,
      )
      ids.forEach((id, i) => {
        const document = findDocument(segment, idWords(id))
        expect(document).toBe(gone[i] === 1 ? -1 : i)
        if (document >= 0) expect(idText(segment.columns.base.ids, document)).toBe(id)
      })
      if (!ids.includes(other)) expect(findDocument(segment, idWords(other))).toBe(-1)
    }),
    { numRuns: 30 },
  )
})
