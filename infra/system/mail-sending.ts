/** Sends the mail that lies ready, one after the other; what cannot be sent is tried again for some hours, and never held against its cause. */
import { mailFailed, mailSent, takeMail } from '../catalog/mail-queue.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { isFinal, type Mailer } from '../mail.ts'

/** Waits of 10 s, 20 s, … an hour: some seven hours together. */
const mostAttempts = 15

interface Parts {
  readonly catalog: Pick<Catalog, 'pipeline'>
  readonly mailer: Mailer
  /** Where the API answers, for the link. */
  readonly url: string
}

/** @returns one round: whether there may be more to send */
export function mailSending({ catalog: { pipeline }, mailer, url }: Parts): () => Promise<boolean> {
  return async () => {
    const due = await takeMail(pipeline)
    if (!due) return false
    const link = due.job === null ? '' : `\nJob: ${new URL(`/jobs/${due.job}`, url)}\n`
    const text = `${due.subject}.\n\n${due.body}\n${link}`
    try {
      await mailer.send({ id: due.id, to: due.recipient, subject: `Assay: ${due.subject}`, text })
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error)
      await mailFailed(pipeline, due.id, says, isFinal(error) || due.attempts >= mostAttempts)
      // Without its cause: a mail server that is away is no database that is.
      throw new Error(`mail ${due.id}, try ${due.attempts}: ${says}`)
    }
    await mailSent(pipeline, due.id)
    return true
  }
}
