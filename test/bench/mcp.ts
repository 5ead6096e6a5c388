/** `npm run bench mcp`: calls of get_score a second and how long they take, beside a bare server of the protocol's library with a tool that does nothing, in turn in one run, in both eras. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { table } from '../../infra/cli/table.ts'
import { childEnvironment } from '../child-environment.ts'
import { type Rate, requests } from './requests.ts'
import { listening, serveForBench, workspace } from './serving.ts'

const program = join(import.meta.dirname, 'tool-servers.ts')
const load = { connections: 32, seconds: 4 }
const rounds = 3
const bar = 0.8

const params = { name: 'get_score', arguments: { product_id: 'MUG-1' } }
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const call = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const eras = [
  [
    '2026-07-28',
    call({ ...params, _meta: meta }),
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_score' },
  ],
  ['2025-11-25', call(params), { 'mcp-protocol-version': '2025-11-25' }],
] as const

export async function mcpBench(): Promise<void> {
  const assay = await serveForBench({}, program)
  const bare = spawn(process.execPath, [program, '--bare'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnvironment,
  })
  try {
    const bareUrl = await listening(bare.stdout, /listens on (http:\S+)/)
    const headers = {
      authorization: `Bearer ${assay.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const product = { sku: 'MUG-1', title: 'Enamelled mug, 350 ml, midnight blue', price: 12.5, currency: 'EUR' }
    const made = await fetch(`${assay.url}/api/workspace/${workspace}/catalog/products`, {
      ...{ method: 'POST', headers, body: JSON.stringify(product) },
    })
    if (made.status !== 201) throw new Error(`the product was not made: ${made.status} ${await made.text()}`)
    const lines: string[][] = []
    let met = true
    for (const [era, body, own] of eras) {
      const asked = { ...load, body, headers: { ...headers, ...own } }
      const servers = [
        ['bare', `${bareUrl}/mcp`],
        ['Assay', `${assay.url}/api/mcp`],
      ] as const
      const seen = new Map<string, Rate[]>(servers.map(([name]) => [name, []]))
      for (const [, url] of servers) await requests(url, { ...asked, seconds: 2 })
      for (let round = 0; round < rounds; round++)
        for (const [name, url] of servers) seen.get(name)?.push(await requests(url, asked))
      const middle = (name: string) => seen.get(name)?.toSorted((a, b) => a.perSecond - b.perSecond)[rounds >> 1]
      const ratio = (middle('Assay')?.perSecond ?? 0) / (middle('bare')?.perSecond ?? 1)
      met &&= ratio >= bar
      for (const [name] of servers) {
        const rate = middle(name)
        lines.push([
          era,
          name,
          `${Math.round(rate?.perSecond ?? 0)}/s`,
          rate?.p50Ms.toFixed(1) ?? '',
          rate?.p95Ms.toFixed(1) ?? '',
          name === 'bare' ? '' : ratio.toFixed(2),
        ])
      }
    }
    process.stdout.write(`${table([['era', 'server', 'get_score', 'p50 ms', 'p95 ms', 'ratio'], ...lines])}\n`)
    process.stdout.write(`bar, ${bar} of the bare server: ${met ? 'met' : 'missed'}\n`)
  } finally {
    bare.kill('SIGINT')
    await once(bare, 'exit')
    await assay.close()
  }
}
