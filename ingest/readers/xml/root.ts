/** The root element of an XML text, from its beginning alone: its name and the prefixes that are Google's. */
import { TableError } from '../../table-error.ts'
import { localName } from './element.ts'
import { readXmlText } from './events.ts'
import { isPage, pageError } from './faults.ts'

export interface Root {
  /** Local. */
  readonly name: string
  /** Prefixes that tell nothing: Google's, and that of the root itself. */
  readonly prefixes: ReadonlySet<string>
  /** Google's alone. */
  readonly google: ReadonlySet<string>
}

const googles = /^https?:\/\/base\.google\.com\/(?:ns|cns)\//

/** @throws TableError where there is none, or it is that of a page */
export async function rootOf(text: AsyncIterable<string>): Promise<Root> {
  let root: Root | undefined
  const listener = {
    opens(name: string, attributes: readonly (readonly [string, string])[]) {
      if (root) return
      // Before the parser meets what pages leave open.
      if (isPage(localName(name))) throw pageError()
      const google = new Set(['g'])
      for (const [key, value] of attributes)
        if (key.startsWith('xmlns:') && googles.test(value)) google.add(key.slice('xmlns:'.length))
      const prefixes = name.includes(':') ? new Set([...google, name.slice(0, name.indexOf(':'))]) : google
      root = { name: localName(name), prefixes, google }
    },
    text() {},
    closes() {},
  }
  for await (const _ of readXmlText(text, listener)) if (root) return root
  throw new TableError('empty_file', 'The file has no element; send the products as XML, CSV or one JSON object a line')
}
