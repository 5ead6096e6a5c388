import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventsUnread, readEvents, TooManyEvents } from '../../../ingest/events/read-events.ts'
import { largestSentBytes, mostEvents } from '../../../schemas/event.ts'

const read = (text: string, lines = false) => readEvents(Buffer.from(text), lines)

test('whatever an array has is read as it was written, item by item', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 2, '\t'), async (items, indent) => {
      const text = JSON.stringify(items, null, indent)
      expect(await read(text)).toEqual((JSON.parse(text) as unknown[]).map((value) => ({ value })))
    }),
  )
})

test('of lines each is an event, blank ones are none, and one that is no JSON is told in its place', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.jsonValue(), fc.constantFrom('', ' ', '\t\r', '{'))),
      fc.constantFrom('\n', '\r\n'),
      async (lines, end) => {
        const isWritten = (one: unknown) => ['', ' ', '\t\r', '{'].includes(one as string)
        const texts = lines.map((one) => (isWritten(one) ? (one as string) : JSON.stringify(one)))
        const told = texts.filter((text) => text.trim() !== '')
        expect(await read(texts.join(end), true)).toEqual(
          told.map((text) => (text === '{' ? { unread: 'the line is no JSON' } : { value: JSON.parse(text) })),
        )
      },
    ),
  )
})

test('text that is JSON is read as JSON.parse reads it, and no other', async () => {
  const pieces = fc.constantFrom('[', ']', '{', '}', ',', ':', '"a"', '"\\"]"', '1', 'null', ' ', '\n', '"')
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (some) => {
      const text = some.join('')
      let parsed: unknown
      try {
        parsed = JSON.parse(text)
      } catch {
        await expect(read(text)).rejects.toThrow(EventsUnread)
        return
      }
      expect(await read(text)).toEqual((Array.isArray(parsed) ? parsed : [parsed]).map((value) => ({ value })))
    }),
    { numRuns: 2_000 },
  )
})

test('a mark before the text is no part of it', async () => {
  expect(await read('\ufeff[1]')).toEqual([{ value: 1 }])
  expect(await read('\ufeff{"a":1}\n2', true)).toEqual([{ value: { a: 1 } }, { value: 2 }])
})

test('one that is far too long is refused before it is parsed, and its neighbours are read', async () => {
  const long = `"${'a'.repeat(largestSentBytes)}"`
  expect(await read(`[1,${long},2]`)).toEqual([
    { value: 1 },
    { unread: expect.stringMatching(/^has more than/) },
    { value: 2 },
  ])
})

const mega = 16 * 1024 * 1024
/** The longest that anything else had to wait. */
async function held(work: () => Promise<unknown>): Promise<number> {
  let [longest, last] = [0, performance.now()]
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await work()
  clearInterval(timer)
  return Math.max(longest, performance.now() - last)
}

test.each([
  ['lines', Buffer.alloc(mega, '{}\n'), true],
  ['an array', Buffer.concat([Buffer.from('['), Buffer.alloc(mega, '1,'), Buffer.from('1]')]), false],
])('too many as %s are counted no further than to the first that is too many', async (_, body, lines) => {
  const begun = performance.now()
  await expect(readEvents(body, lines)).rejects.toThrow(TooManyEvents)
  // Parsed and kept they took seconds.
  expect(performance.now() - begun).toBeLessThan(1_000)
  expect(await read(`[${Array(mostEvents).fill(1)}]`)).toHaveLength(mostEvents)
})

test.each([
  ['blank lines', Buffer.alloc(mega, '\n'), true],
  ['an array of blanks', Buffer.concat([Buffer.from('['), Buffer.alloc(mega, ' '), Buffer.from(']')]), false],
  ['one array in one line', Buffer.concat([Buffer.from('['), Buffer.alloc(mega, '1,'), Buffer.from('1]')]), true],
  ['one list in an array', Buffer.concat([Buffer.from('[['), Buffer.alloc(mega, '1,'), Buffer.from('1]]')]), false],
  ['lists in lists', Buffer.alloc(mega, '['), false],
  ['ten thousand long lines', Buffer.alloc(mega - 1, `{"a":"${'a'.repeat(1_690)}"}\n`), true],
])('%s hold up nobody', async (_, body, lines) => {
  // A machine that others use stretches it; parsed in one go it was half a second and more.
  expect(await held(() => readEvents(body, lines).catch(() => {}))).toBeLessThan(150)
})
