/** Reads what ClickHouse's client puts into the address of a request: the statement, bound values, and settings. */

/** Of the connection, not of the engine. */
const ofConnection = new Set(['query', 'database', 'query_id', 'session_id', 'role', 'wait_end_of_query'])
const settingName = /^[a-z_0-9]+$/
const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', 0: '\0' }

export interface Parameters {
  readonly query: string
  /** By name, as the engine's own binding takes them. */
  readonly bound: Readonly<Record<string, string | readonly string[]>>
  readonly settings: Readonly<Record<string, string>>
}

/** A statement stands in the address where the body is data, else in the body. */
export function readParameters(search: URLSearchParams, body: Buffer): Parameters {
  const query = search.get('query') ?? body.toString('utf8')
  const bound: Record<string, string | readonly string[]> = {}
  const settings: Record<string, string> = {}
  for (const [name, value] of search)
    if (name.startsWith('param_')) bound[name.slice(6)] = isList(query, name.slice(6)) ? listed(value) : plain(value)
    else if (!ofConnection.has(name) && settingName.test(name)) settings[name] = value
  return { query, bound, settings }
}

/** Values come escaped as in a TSV cell, and the binding escapes them again. */
const plain = (text: string) => text.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)

/** Texts in quotes: the binding of the engine takes them one by one, and quotes them itself. */
const listed = (list: string) => [...list.matchAll(/'((?:\\.|[^'\\])*)'/gs)].map(([, text = '']) => plain(text))

const isList = (query: string, name: string) => new RegExp(`\\{\\s*${name}\\s*:\\s*Array\\(String\\)`).test(query)
