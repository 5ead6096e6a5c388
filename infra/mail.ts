/** Mail through nodemailer: to an SMTP server, or as `.eml` files in the outbox folder where none is set. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Mail {
  /** Of the mail, however often it is sent. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** @throws what the server said; `isFinal` tells whether asking again helps */
  send(mail: Mail): Promise<void>
  close(): void
}

export interface MailOptions {
  readonly smtpUrl: string | undefined
  /** One address. */
  readonly from: string
  readonly outbox: string
}

/** A server that takes the connection and then says nothing. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

export function openMailer({ smtpUrl, from, outbox }: MailOptions): Mailer {
  /** A repeat bears the same Message-ID, so whoever gets it twice knows it as one. */
  const message = ({ id, to, subject, text }: Mail) => ({
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    from: { name: 'Assay', address: from },
    // As objects: a text would be read as a list of addresses.
    to: [{ name: '', address: to }],
    subject: subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
    text,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // Loaded with the first mail: 24 MB that a server which sends none need not hold.
  const load = async () => {
    const { createTransport } = await import('nodemailer')
    return smtpUrl === undefined
      ? createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      : createTransport({ url: smtpUrl, ...timeouts })
  }
  let loaded: ReturnType<typeof load> | undefined
  return {
    async send(mail) {
      loaded ??= load()
      const { message: bytes } = await (await loaded).sendMail(message(mail))
      if (smtpUrl !== undefined) return
      await mkdir(outbox, { recursive: true })
      const path = join(outbox, `${mail.id}.eml`)
      await writeFile(`${path}.part`, bytes as Buffer)
      await rename(`${path}.part`, path)
    },
    close: () => void loaded?.then((transport) => transport.close()),
  }
}

/** The server refused this very mail for good (RFC 5321: 5yz), as an address that does not exist. */
export const isFinal = (error: unknown): boolean => {
  const { responseCode, command } = error as { responseCode?: number; command?: string }
  return (responseCode ?? 0) >= 500 && command !== 'CONN' && !command?.startsWith('AUTH')
}
