import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFinal, openMailer } from '../../infra/mail.ts'
import { mailAddress } from '../../schemas/mail-address.ts'
import { type Smtp, startSmtp } from '../smtp.ts'

let folder: string
let smtp: Smtp
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-outbox-'))
  smtp = await startSmtp()
})
afterAll(async () => {
  await smtp.close()
  await rm(folder, { recursive: true })
})

const mail = { id: '7b1e', to: 'ada@shop.example', subject: 'Import completed', text: '412 created.\n' }
const open = (smtpUrl?: string) => openMailer({ smtpUrl, from: 'assay@shop.example', outbox: join(folder, 'outbox') })
const headersOf = (text: string) => text.slice(0, text.indexOf('\r\n\r\n')).split(/\r\n(?![ \t])/)

describe('over SMTP', () => {
  test('a mail arrives as it was written, and a repeat bears the same Message-ID', async () => {
    const mailer = open(smtp.url)
    await mailer.send(mail)
    await mailer.send(mail)
    mailer.close()
    const [first, second] = smtp.taken
    expect(first?.to).toEqual(['ada@shop.example'])
    const headers = headersOf(first?.text ?? '')
    expect(headers).toContain('From: Assay <assay@shop.example>')
    expect(headers).toContain('To: ada@shop.example')
    expect(headers).toContain('Subject: Import completed')
    expect(headers).toContain('Message-ID: <7b1e@shop.example>')
    expect(first?.text).toContain('412 created.')
    expect(headersOf(second?.text ?? '')).toContain('Message-ID: <7b1e@shop.example>')
  })

  test('no text becomes a header or a recipient of its own, whatever it is made of', async () => {
    const mailer = open()
    const hard = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'a\r\nBcc: eve@evil.example',
        'a\nX-Evil: 1\r\n\r\nbody',
        'a\u2028Bcc: eve@evil.example',
        'a\u0000\rb',
      ),
    )
    await fc.assert(
      fc.asyncProperty(hard, hard, async (subject, text) => {
        await mailer.send({ ...mail, id: 'hard', subject: subject.toWellFormed(), text: text.toWellFormed() })
        const names = headersOf(await readFile(join(folder, 'outbox', 'hard.eml'), 'latin1')).map((line) =>
          line.split(':')[0]?.toLowerCase(),
        )
        const known = ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'auto-submitted']
        const more = ['content-type', 'content-transfer-encoding']
        expect([...known, ...more]).toEqual(expect.arrayContaining(names))
        expect(new Set(names).size).toBe(names.length)
      }),
      { numRuns: 50 },
    )
    mailer.close()
  })

  test.each([
    'a@b.example\r\nBcc: eve@evil.example',
    'Eve <eve@evil.example>',
    'a@b.example, c@d.example',
    'a@b.example\n',
    '@',
    '',
  ])('an address that is none is never one: %j', (text) => expect(mailAddress.safeParse(text).success).toBe(false))

  test('a server that is away, busy or refuses to let us in may be asked again; one that refuses the mail for good is not', async () => {
    const failure = async (url: string) => {
      const mailer = open(url)
      const error = await mailer.send(mail).then(
        () => null,
        (cause: unknown) => cause,
      )
      mailer.close()
      return error
    }
    const refusing = async (status: number) => {
      const server = await startSmtp(() => status)
      return failure(server.url).finally(() => server.close())
    }
    const gone = await startSmtp()
    await gone.close()
    expect([await failure(gone.url), await refusing(451)].map(isFinal)).toEqual([false, false])
    expect(isFinal(await refusing(550))).toBe(true)
    expect(isFinal(Object.assign(new Error('no'), { responseCode: 535, command: 'AUTH PLAIN' }))).toBe(false)
  })
})

test('without a server a mail is a whole file in the outbox, and a repeat is the same file', async () => {
  const mailer = open()
  await mailer.send({ ...mail, id: 'once' })
  await mailer.send({ ...mail, id: 'once' })
  mailer.close()
  const names = await readdir(join(folder, 'outbox'))
  expect(names.filter((name) => name.startsWith('once'))).toEqual(['once.eml'])
  const text = await readFile(join(folder, 'outbox', 'once.eml'), 'utf8')
  expect(headersOf(text)).toContain('Message-ID: <once@shop.example>')
  expect(text).toContain('412 created.')
})
