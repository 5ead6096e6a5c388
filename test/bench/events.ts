/** `npm run bench events [events] [sent]`: events taken in, aggregations, kept answers and a dashboard's questions, each beside the bare store or route in the same run. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '../../infra/cli/table.ts'
import { applyMigrations } from '../../infra/events/migrate.ts'
import { childEnvironment } from '../child-environment.ts'
import { eventServer } from '../faults/event-server.ts'
import { type BareEvents, bareEvents } from './bare-events.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { bareInsert, bareLines, eventBlocks, fillEvents, throughCollector } from './event-ingest.ts'
import { bareSql, type Question, questions } from './event-questions.ts'
import { type Rate, requests } from './requests.ts'
import { listening, type Serving, serveForBench, workspace } from './serving.ts'

/** Of all events that are the asking brand's. */
const share = 0.5
const rounds = 5
const ingestRounds = 3
const load = { connections: 32, seconds: 4 }

export async function eventsBench([count = '10000000', sent = '100000']: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-events-'))
  const password = randomUUID()
  const server = eventServer(join(folder, 'events'), password)
  const other = eventServer(join(folder, 'bare'), password)
  try {
    await server.start()
    const assay = await serveForBench({
      CLICKHOUSE_URL: `http://default:${password}@127.0.0.1:${server.port()}`,
      ASSAY_WORKSPACE_RATE: '100000000',
    })
    try {
      const brand = await mainBrand(assay)
      const bare = bareEvents(server.port(), password)
      await ingest(assay, other, password, brand, Number(sent))
      await fillEvents(bare, brand, Number(count), share)
      await aggregations(assay, bare, brand, Number(count))
      await keptAnswers(assay)
    } finally {
      await assay.close()
    }
  } finally {
    await server.kill()
    await other.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function ingest(
  assay: Serving,
  other: ReturnType<typeof eventServer>,
  password: string,
  brand: string,
  sent: number,
): Promise<void> {
  await other.start()
  const bare = bareEvents(other.port(), password)
  await applyMigrations({ command: bare.command, names: async () => [], partitions: async () => [] })
  const rates = { own: [] as number[], bare: [] as number[], lines: [] as number[] }
  let [seconds, counted] = [0, 0]
  for (let round = -1; round < ingestRounds; round++) {
    // Other events each time.
    const blocks = eventBlocks(round < 0 ? 20_000 : sent, Date.now() - (round + 2) * 3_600_000)
    const before = await cpuSeconds(assay.pid)
    const own = await throughCollector(assay, blocks)
    const used = (await cpuSeconds(assay.pid)) - before
    const alone = await bareInsert(bare, blocks, brand)
    // The first round warms.
    if (round < 0) continue
    rates.own.push(own)
    rates.bare.push(alone)
    seconds += used
    counted += sent
  }
  // Behind the others, so that what they leave the engine to merge slows none of them.
  for (let round = 0; round < ingestRounds; round++)
    rates.lines.push(await bareLines(bare, eventBlocks(sent, Date.now() - round * 3_600_000), brand))
  await other.kill()
  const [own, alone, lines] = [at(rates.own, 0.5), at(rates.bare, 0.5), at(rates.lines, 0.5)]
  const said = [
    `${sent} events in blocks of 10,000, middle of ${ingestRounds}: collector to counted ${Math.round(own)}/s`,
    `bare insert of the blocks ${Math.round(alone)}/s, share ${(own / alone).toFixed(2)}`,
    `of the same as lines, as Assay sends them, ${Math.round(lines)}/s, share ${(own / lines).toFixed(2)}`,
    `of a million events the server's process has ${((seconds / counted) * 1e6).toFixed(1)} s of CPU`,
  ]
  process.stdout.write(`${said.join('; ')}\n`)
}

async function aggregations(assay: Serving, bare: BareEvents, brand: string, count: number): Promise<void> {
  const took = new Map(questions.map(({ name }) => [name, { own: [] as number[], bare: [] as number[] }]))
  const dashboards = { own: [] as number[], bare: [] as number[], whole: [] as number[], first: [] as number[] }
  for (let round = -1; round < rounds; round++) {
    const sums = { own: 0, bare: 0 }
    for (const [i, question] of questions.entries()) {
      // Each once: another limit is another question, and the same work.
      const limit = 200 + round
      const ways = [
        ['own', () => askAssay(assay, question, limit)],
        ['bare', () => bare.ask(bareSql(question, workspace, brand, limit))],
      ] as const
      for (const [way, ask] of (round + i) % 2 ? ways : ways.toReversed()) {
        const began = performance.now()
        const rows = await ask()
        const ms = performance.now() - began
        if (rows.length === 0) throw new Error(`${question.name} has no rows`)
        sums[way] += ms
        // The first round warms.
        if (round >= 0) took.get(question.name)?.[way].push(ms)
      }
    }
    const dashboard = await askDashboard(assay, 300 + round)
    if (round < 0) continue
    dashboards.whole.push(dashboard.whole)
    dashboards.first.push(dashboard.first)
    dashboards.own.push(sums.own)
    dashboards.bare.push(sums.bare)
  }
  const lines = [...took].map(([name, { own, bare }]) => [
    name,
    ...[own, bare].map((all) => ms(at(all, 0.5))),
    over(own, bare),
  ])
  const [own, alone] = (['own', 'bare'] as const).map((way) => [...took.values()].flatMap((one) => one[way]))
  lines.push(['all, p50', ms(at(own ?? [], 0.5)), ms(at(alone ?? [], 0.5)), over(own ?? [], alone ?? [])])
  lines.push(['all, p95', ms(at(own ?? [], 0.95)), ms(at(alone ?? [], 0.95)), ''])
  lines.push([
    'twelve in a row, p50',
    ms(at(dashboards.own, 0.5)),
    ms(at(dashboards.bare, 0.5)),
    over(dashboards.own, dashboards.bare),
  ])
  lines.push([
    'a dashboard of them, p50',
    ms(at(dashboards.whole, 0.5)),
    ms(at(dashboards.bare, 0.5)),
    over(dashboards.whole, dashboards.bare),
  ])
  lines.push(['its first widget, p50', ms(at(dashboards.first, 0.5)), '', ''])
  process.stdout.write(`${count} events, ${share * 100} % of them the brand's, ${rounds} rounds\n`)
  process.stdout.write(`${table([['question', 'Assay ms', 'bare ms', 'ratio'], ...lines])}\n`)
}

async function askAssay(assay: Serving, { params }: Question, limit: number): Promise<readonly unknown[]> {
  const body = JSON.stringify({ event_types: null, ...params, limit })
  const answer = await fetch(addressOf(assay), { method: 'POST', headers: headersOf(assay), body })
  const text = await answer.text()
  const { rows, cache_hit } = JSON.parse(text)
  if (answer.status !== 200 || cache_hit) throw new Error(`${answer.status}: ${text}`)
  return rows
}

/** The same questions as widgets of one dashboard, none of them answered before. @returns milliseconds until its first widget and its end */
async function askDashboard(assay: Serving, limit: number): Promise<{ first: number; whole: number }> {
  const address = `${assay.url}/api/workspace/${workspace}/dashboards`
  const widgets = questions.map(({ name, params }) => ({
    title: name,
    definition: { type: 'table', question: { event_types: null, ...params, limit } },
  }))
  const body = JSON.stringify({ name: `Of ${limit}`, widgets })
  const made = await fetch(address, { method: 'POST', headers: headersOf(assay), body })
  const { dashboard } = (await made.json()) as { dashboard: { id: string } }
  const began = performance.now()
  const answer = await fetch(`${address}/${dashboard.id}/data`, { headers: headersOf(assay) })
  let text = ''
  let first: number | null = null
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (first === null && text.includes('{"widget":')) first = performance.now() - began
  }
  const whole = performance.now() - began
  if (!text.includes(`"end":{"answered":${questions.length},"failed":0}`) || text.includes('"cache_hit":true'))
    throw new Error(text.slice(0, 500))
  return { first: first ?? whole, whole }
}

const addressOf = (assay: Serving) => `${assay.url}/api/workspace/${workspace}/dashboards/aggregate`
const headersOf = (assay: Serving) => ({ authorization: `Bearer ${assay.token}`, 'content-type': 'application/json' })

async function keptAnswers(assay: Serving): Promise<void> {
  const body = JSON.stringify({ event_types: null, group_by: 'day', aggregation: 'count', time_window_days: 30 })
  const headers = headersOf(assay)
  const ask = async () => (await fetch(addressOf(assay), { method: 'POST', headers, body })).text()
  await ask()
  const bytes = await ask()
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...childEnvironment, BENCH_BYTES: bytes },
  })
  const bareUrl = await listening(bare.stdout, /listens on (http:\S+)/)
  const doors = await serveForBench(
    { BENCH_BYTES: bytes, ASSAY_WORKSPACE_RATE: '100000000' },
    join(import.meta.dirname, 'static-route.ts'),
  )
  const routes = [
    ['kept answer', addressOf(assay), headers],
    ['static Fastify route', `${bareUrl}/memory`, headers],
    [
      "static route behind Assay's access, limits, log",
      `${doors.url}/api/workspace/${workspace}/static`,
      headersOf(doors),
    ],
  ] as const
  const seen = new Map<string, Rate[]>(routes.map(([name]) => [name, []]))
  for (const [, url, headers] of routes) await requests(url, { ...load, headers, body, seconds: 2 })
  for (let round = 0; round < 3; round++)
    for (const [name, url, headers] of routes) seen.get(name)?.push(await requests(url, { ...load, headers, body }))
  bare.kill('SIGINT')
  await Promise.all([once(bare, 'exit'), doors.close()])
  const rateOf = (name: string) =>
    at(
      (seen.get(name) ?? []).map(({ perSecond }) => perSecond),
      0.5,
    )
  const own = rateOf('kept answer')
  const lines = routes.map(([name]) => [name, `${Math.round(rateOf(name))}/s`, (own / rateOf(name)).toFixed(2)])
  process.stdout.write(`${bytes.length} bytes an answer, ${load.connections} connections, middle of three rounds\n`)
  process.stdout.write(`${table([['route', 'answers', "kept answers' share"], ...lines])}\n`)
}

async function mainBrand(assay: Serving): Promise<string> {
  const answer = await fetch(`${assay.url}/api/workspace/${workspace}/brands`, { headers: headersOf(assay) })
  const { brands } = (await answer.json()) as { brands: { id: string; name: string }[] }
  return brands.find(({ name }) => name === 'main')?.id ?? ''
}

const at = (all: readonly number[], share: number) =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0
const ms = (value: number) => value.toFixed(1)
const over = (own: readonly number[], bare: readonly number[]) => (at(own, 0.5) / at(bare, 0.5)).toFixed(2)
