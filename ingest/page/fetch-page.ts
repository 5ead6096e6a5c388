/** Fetches one page and reads it: what it says, or why nothing can be made of it. */
import type { Polite } from '../../infra/egress/polite.ts'
import { EgressError } from '../../schemas/egress-error.ts'
import { pageText } from './page-text.ts'
import { type PageReading, readPage } from './read-page.ts'

export interface FetchedPage extends PageReading {
  /** From which it came, after redirects; null where nothing came. */
  readonly url: string | null
  readonly encoding: string | null
}

/** The largest product pages that we have met have half a megabyte. */
const mostBytes = 4 * 2 ** 20
const withinMs = 30_000
const accept = 'text/html, application/xhtml+xml;q=0.9'
const pageTypes = /^(?:text\/html|application\/xhtml\+xml)\b/i

/** @throws what is no fault of the page: that the job is cancelled */
export async function fetchPage(address: string, polite: Polite, signal: AbortSignal): Promise<FetchedPage> {
  try {
    return await polite.fetch(address, { maxBytes: mostBytes, withinMs, accept, signal }, async (answer) => {
      const { status, headers, body } = answer
      const url = answer.url.href
      const failed = (code: string, says: string) => ({ ...nothing, url, failed: { code, says } })
      if (status !== 200) return failed('http_status', `The host answered ${status} in place of the page`)
      const type = headers['content-type']
      if (type !== undefined && !pageTypes.test(type.trim()))
        return failed('not_html', 'The address leads to something that is no HTML page')
      const text = pageText(await bytesOf(body), type)
      if (text === null)
        return failed('not_text', 'The page says no charset and is not UTF-8; its letters cannot be read')
      return { ...readPage(text.text, url), url, encoding: text.encoding }
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { ...nothing, failed: { code: error.code, says: error.message } }
  }
}

const nothing: FetchedPage = { fields: {}, conflicts: [], notes: [], failed: null, url: null, encoding: null }

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
