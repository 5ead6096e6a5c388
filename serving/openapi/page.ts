/** The document as one self-contained page of HTML: nothing is fetched, nothing runs. */
import { actions } from '../../schemas/access.ts'
import type { Json } from './document.ts'

type Schema = Json & { properties?: Record<string, Schema>; required?: string[]; anyOf?: Schema[]; oneOf?: Schema[] }
type Media = Record<string, { schema: Schema; example?: unknown }>
interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Media }
  readonly responses: Readonly<Record<string, { description: string; content?: Media }>>
}

const escaped: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const safe = (text: unknown) => String(text).replace(/[&<>"]/g, (letter) => escaped[letter] ?? '')
/** Backticks are the only markup that descriptions have. */
const prose = (text: string) =>
  safe(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '</p><p>')

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h2{border-bottom:2px solid #ccc;margin-top:3rem}h3{margin-top:2rem}code,pre{font:14px/1.4 ui-monospace,monospace;background:#f4f4f4}
pre{padding:.75rem;overflow:auto}table{border-collapse:collapse;width:100%}td,th{border:1px solid #ccc;padding:.25rem .5rem;text-align:left;vertical-align:top}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}code,pre{background:#262626}a{color:#8bf}}`

const machineTokens = `<section id="machine-tokens"><h2>Machine tokens</h2>
<p>API keys on feeds and tools are legacy: they still work, and each answer says so with <code>X-Api-Key-Deprecated: true</code>,
<code>Deprecation: true</code> and <code>X-Deprecation-Info</code>, which leads here. What replaces them are machine-to-machine tokens of
your identity provider.</p>
<ol><li>Register a client at the identity provider, and let it ask for a token with the client credentials grant, the audience of this
Assay and the scopes that it needs: <code>mcp:feed:read</code> for feeds, <code>mcp:tools</code> for tools.</li>
<li>Make the client's subject a member of the workspace, pinned to the brands that it may see.</li>
<li>Send the token as <code>Authorization: Bearer …</code> and leave the key out; fetch a new token before the old one ends.</li>
<li>Revoke the key.</li></ol></section>`

export function docsPage(document: Json): string {
  const { info, paths } = document as unknown as {
    info: { title: string; description: string; version: string }
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))]
  const sections = tags.map((tag) => {
    const under = operations.filter(({ operation }) => operation.tags.includes(tag))
    return `<section><h2 id="${anchor(tag)}">${safe(tag)}</h2>${under.map(operationOf).join('')}</section>`
  })
  const contents = tags.map((tag) => `<li><a href="#${anchor(tag)}">${safe(tag)}</a></li>`).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${safe(info.title)} API</title><style>${style}</style></head><body>
<h1>${safe(info.title)} API ${safe(info.version)}</h1><p>${prose(info.description)}</p><p><a href="/openapi.json">OpenAPI document</a></p>
<nav><ul>${contents}<li><a href="#scopes">Actions and scopes</a></li><li><a href="#machine-tokens">Machine tokens</a></li></ul></nav>
${sections.join('\n')}
<section id="scopes"><h2>Actions and scopes</h2>${table(['Scope', 'Allows to'], Object.entries(actions))}</section>
${machineTokens}
</body></html>
`
}

const anchor = (tag: string) => `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

function operationOf({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const named = parameters.filter(({ $ref }) => $ref === undefined)
  const answers = Object.entries(responses)
  const succeeded = answers.filter(([status]) => status < '400')
  const failed = answers.filter(([status]) => status >= '400')
  return [
    `<article id="${safe(operationId)}"><h3><code>${method} ${safe(path)}</code></h3><p><strong>${safe(summary)}</strong></p>`,
    description && `<p>${prose(description)}</p>`,
    named.length > 0 && '<h4>Parameters</h4>',
    named.length > 0 &&
      table(
        ['Name', 'In', 'Holds', 'Example'],
        named.map((one) => [
          `${one.name}${one.required ? ' (required)' : ''}`,
          one.in,
          holds(one.schema),
          one.example === undefined ? '' : String(one.example),
        ]),
      ),
    requestBody && `<h4>Body</h4>${media(requestBody.content)}`,
    ...succeeded.map(([status, answer]) => `<h4>Answer ${status}</h4>${media(answer.content ?? {})}`),
    '<h4>Errors</h4>',
    `<table><tr><th>Status</th><th>Codes</th></tr>${failed
      .map(([status, { description: codes }]) => `<tr><td>${status}</td><td>${prose(codes)}</td></tr>`)
      .join('')}</table></article>`,
  ]
    .filter(Boolean)
    .join('\n')
}

function media(content: Media): string {
  return Object.entries(content)
    .map(([type, { schema, example }]) => {
      const rows = Object.entries(schema.properties ?? {}).map(([name, one]) => [
        `${name}${schema.required?.includes(name) ? ' (required)' : ''}`,
        holds(one),
      ])
      const written = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
      return [
        `<p><code>${safe(type)}</code></p>`,
        rows.length > 0 ? table(['Field', 'Holds'], rows) : `<p>${safe(holds(schema))}</p>`,
        example === undefined ? '' : `<pre>${safe(written)}</pre>`,
      ].join('')
    })
    .join('')
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table><tr>${heads.map((head) => `<th>${safe(head)}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${safe(cell)}</td>`).join('')}</tr>`)
    .join('')}</table>`

/** A schema in few words. */
function holds(schema: Schema): string {
  const either = schema.anyOf ?? schema.oneOf
  if (either) return either.map(holds).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(', ')
  if (schema.type === 'array') return `list of ${holds((schema.items ?? {}) as Schema)}`
  if (schema.properties) return `{ ${Object.keys(schema.properties).join(', ')} }`
  const bounds = [
    ['format', ''],
    ['minLength', 'at least '],
    ['maxLength', 'at most '],
    ['minimum', 'from '],
    ['maximum', 'to '],
  ] as const
  const told = bounds.flatMap(([name, words]) => (schema[name] === undefined ? [] : [`${words}${schema[name]}`]))
  return [schema.type ?? 'anything', ...told].join(', ')
}
