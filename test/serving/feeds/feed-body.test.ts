import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { googleProfile } from '../../../schemas/feeds/google.ts'
import { feedBody, type Tally } from '../../../serving/feeds/feed-body.ts'
import { feedForm } from '../../../serving/feeds/forms/feed-form.ts'
import type { Lines } from '../../../serving/feeds/line-pages.ts'

const about = { title: 'Autumn', link: '' }
const line = (id: string) => `{"id":"${id}","title":"Stool ${id}"}\n`
const page = (...ids: string[]): Lines => ({
  bytes: Buffer.from(ids.map(line).join('')),
  lines: ids.length,
  last: ids.at(-1) ?? '',
})

async function* pagesOf(...pages: readonly (Lines | Error)[]): AsyncGenerator<Lines> {
  for (const one of pages) {
    if (one instanceof Error) throw one
    yield one
  }
}

async function sent(
  pages: AsyncIterable<Lines>,
  { form = null as 'csv' | 'xml' | null, trailer = false, leaves = Number.POSITIVE_INFINITY } = {},
) {
  const errors: unknown[] = []
  let tally: Tally | undefined
  let text = ''
  const body = feedBody({
    pages,
    form: form && feedForm(googleProfile, form),
    about,
    trailer,
    position: () => 't.1.2.x',
    onError: (error) => errors.push(error),
    ended: (told) => {
      tally = { ...told }
    },
  })
  let failed = false
  try {
    for await (const bytes of body) {
      text += bytes.toString()
      if (--leaves === 0) break
    }
  } catch {
    failed = true
  }
  return { text, errors, tally, failed }
}

test('lines are sent as they are stored, and counted', async () => {
  const { text, tally } = await sent(pagesOf(page('A', 'B'), page('C')))
  expect(text).toBe(line('A') + line('B') + line('C'))
  expect(tally).toEqual({ lines: 3, bytes: Buffer.byteLength(text), whole: true, broken: false, position: 't.1.2.x' })
})

test('a trailer has the count, the position behind it all, and the SHA-256 of every byte before it', async () => {
  const { text } = await sent(pagesOf(page('A', 'B')), { trailer: true })
  const [told = ''] = text.trimEnd().split('\n').slice(-1)
  const before = text.slice(0, -told.length - 1)
  expect(JSON.parse(told)).toEqual({
    _trailer: { count: 2, position: 't.1.2.x', sha256: createHash('sha256').update(before).digest('hex') },
  })
})

test('a store that fails in the middle gives one last line that says so, and what was read before it stays', async () => {
  const { text, errors, tally, failed } = await sent(pagesOf(page('A'), new Error('password of the database')), {
    trailer: true,
  })
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[1] ?? '')).toEqual({ error: expect.any(String), code: 'STREAM_ERROR' })
  expect(text).not.toContain('password')
  expect(errors).toHaveLength(1)
  expect(tally).toMatchObject({ lines: 1, whole: false, broken: true })
  expect(failed).toBe(false)
})

test('a document that fails in the middle breaks off, so that no half of one looks whole', async () => {
  const { text, failed, tally } = await sent(pagesOf(page('A'), new Error('away')), { form: 'xml' })
  expect(failed).toBe(true)
  expect(text).not.toContain('</rss>')
  expect(tally).toMatchObject({ whole: false, broken: true })
})

test('a table has its header once, and one row a line', async () => {
  const { text } = await sent(pagesOf(page('A'), page('B')), { form: 'csv' })
  const rows = text.trimEnd().split('\r\n')
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatch(/^id,title,/)
  expect(rows.slice(1).map((row) => row.split(',').slice(0, 2))).toEqual([
    ['A', 'Stool A'],
    ['B', 'Stool B'],
  ])
})

test('a reader who goes is neither served whole nor an error', async () => {
  const { tally, errors } = await sent(pagesOf(page('A'), page('B')), { leaves: 1 })
  expect(tally).toMatchObject({ whole: false, broken: false })
  expect(errors).toEqual([])
})
