import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRobots } from '../../../infra/egress/robots.ts'

const rules = (...lines: string[]) => readRobots(['User-agent: *', ...lines].join('\n'), 'AssayBot')

describe('groups', () => {
  const text = `# hello
User-Agent: other
Disallow: /

user-agent: *
Disallow: /a

User-agent: ASSAYBOT/2.0
User-agent: third
Disallow: /b # not this
Crawl-delay: 2
Sitemap: https://shop.example/map.xml
Allow: /b/c

User-agent: assaybot
Disallow: /d`

  test('its own rules hold for a crawler, all of them, and those for everyone no longer', () => {
    const mine = readRobots(text, 'AssayBot')
    expect(['/a', '/b', '/b/c', '/d', '/e'].map((path) => mine.allows(path))).toEqual([true, false, true, false, true])
    expect(mine.crawlDelayMs).toBe(2_000)
  })

  test('others have the rules for everyone', () => {
    expect(['/a', '/b'].map((path) => readRobots(text, 'Fourth').allows(path))).toEqual([false, true])
  })

  test('a file without rules for it allows all', () => {
    expect(readRobots('', 'AssayBot').allows('/')).toBe(true)
    expect(readRobots('<html><body>Not found</body></html>', 'AssayBot').allows('/')).toBe(true)
    expect(readRobots('\uFEFFUser-agent: *\r\nDisallow: /\r\n', 'AssayBot').allows('/')).toBe(false)
  })

  test('a delay has a bound, and one that is none is none', () => {
    expect(rules('Crawl-delay: 86400').crawlDelayMs).toBe(30_000)
    expect(rules('Crawl-delay: soon').crawlDelayMs).toBe(0)
  })
})

// The paths of RFC 9309, 2.2.3 and 5.2, and of Google's description of the same rules.
test.each([
  ['Disallow: /fish', '/fish.html', false],
  ['Disallow: /fish', '/Fish', true],
  ['Disallow: /fish/', '/fish', true],
  ['Disallow: /*.php', '/folder/any.php?x=1', false],
  ['Disallow: /*.php$', '/any.php?x=1', true],
  ['Disallow: /*.php$', '/a.php/b.php', false],
  ['Disallow: /fish*.php', '/fishheads/cat.php?p', false],
  ['Disallow: /$', '/', false],
  ['Disallow: /$', '/a', true],
  ['Disallow: *', '/a', false],
  ['Disallow:', '/a', true],
  ['Disallow: /a%3cd.html', '/a%3Cd.html', false],
  ['Disallow: /%7Ejoe/', '/~joe/index.html', false],
  ['Disallow: /süß', '/s%C3%BC%C3%9F', false],
  ['Disallow: /', '/robots.txt', true],
])('%s, asked for %s: %s', (rule, path, allowed) => {
  expect(rules(rule).allows(path)).toBe(allowed)
})

test('the longest match decides, and allowing does between equals, in any order', () => {
  const lines = ['Allow: /p', 'Disallow: /', 'Allow: /page', 'Disallow: /*.ph', 'Disallow: /page/x', 'Allow: /page/x']
  fc.assert(
    fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
      const robots = rules(...shuffled)
      expect(['/p', '/', '/page/y', '/page/x', '/q.php'].map((path) => robots.allows(path))).toEqual([
        ...[true, false, true, true, false],
      ])
    }),
  )
})

test('no text breaks it or takes long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'binary' }), (text, path) => {
      rules(text, `Disallow: ${text}`).allows(path)
    }),
  )
  const began = performance.now()
  rules(`Disallow: /${'*a'.repeat(100_000)}$`).allows(`/${'a'.repeat(2_000)}`)
  expect(performance.now() - began).toBeLessThan(500)
})
