/** Takes the event store away under a running collector, by cutting the network to it and by -9, and says what was lost, came twice or was refused. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openProxy } from '../kafka/proxy.ts'
import { type AssayProcess, assayFolder, demo } from './assay-process.ts'
import { eventServer } from './event-server.ts'

export interface StopEvents {
  readonly awayMs: number
  readonly say: (text: string) => void
}

const perSend = 200
const betweenSendsMs = 40
const catchesUpMs = 120_000
const passesMs = 5_000
const tokenForm = /insert_deduplication_token=([^&\s]+)/g

/** @returns what is wrong in the end; nothing when the promise is kept */
export async function stopEvents({ awayMs, say }: StopEvents): Promise<string[]> {
  const faults: string[] = []
  const password = randomUUID()
  const tokens: string[] = []
  let takeAway = () => {}
  const ground = await assayFolder(undefined, {})
  const server = eventServer(join(ground.folder, 'server'), password)
  const network = await openProxy(server.port, (bytes) => {
    for (const [, token = ''] of bytes.toString('latin1').matchAll(tokenForm)) {
      tokens.push(decodeURIComponent(token))
      takeAway()
    }
  })
  /** With a block on its way, which has no answer then and must be sent again. */
  const takeInMidBlock = (take: () => unknown) =>
    new Promise<void>((taken) => {
      takeAway = () => {
        takeAway = () => {}
        Promise.resolve(take()).then(() => taken())
      }
    })
  const serve = ['--no-sample']
  const away = {
    'cut off': [() => network.cut(), () => network.mend()],
    killed: [() => server.kill(), () => server.start()],
  } as const
  try {
    await server.start()
    const own = await assayFolder(ground.folder, {
      CLICKHOUSE_URL: `http://default:${password}@127.0.0.1:${network.port}`,
    })
    const assay = await own.start(serve)
    const collector = startCollector(assay)
    await sleep(1_500)
    const kept = await answerOf(assay)
    if (kept.status !== 200) faults.push(`before anything the question is ${kept.status}`)
    for (const [how, [take, giveBack]] of Object.entries(away)) {
      await takeInMidBlock(take)
      const until = Date.now() + awayMs
      say(`the store is ${how} for ${awayMs / 1_000} s`)
      await sleep(awayMs / 2)
      const [before, later] = [await lagOf(assay), await sleep(awayMs / 4).then(() => lagOf(assay))]
      if (!(later > before && before > 0)) faults.push(`${how}: the lag in the metrics is ${before}, then ${later}`)
      // Of a store that is cut off nobody knows at once that it is away.
      if (how === 'killed') faults.push(...(await labelFaults(assay)))
      await sleep(Math.max(0, until - Date.now()))
      await giveBack()
      say(`the store is back, ${await lagOf(assay)} events behind`)
      await caughtUp(assay, collector.sent, say)
    }
    const { sent, faults: refused, slowestMs } = await collector.stop()
    faults.push(...refused)
    await caughtUp(assay, () => sent, say)
    const counted = await passed(assay)
    if (counted.body.rows?.[0]?.value !== sent || counted.body.lag !== 0)
      faults.push(`${sent} events were taken, and the answer is ${counted.text}`)
    say(`${sent} events were taken, the slowest call took ${Math.round(slowestMs)} ms`)
    faults.push(...tokenFaults(tokens))
    assay.signal('SIGTERM')
    await assay.ended
    return faults
  } finally {
    await ground.clear()
    await network.close()
    await server.kill()
  }
}

function startCollector(assay: AssayProcess) {
  const faults: string[] = []
  let [sent, slowestMs, running] = [0, 0, true]
  const done = (async () => {
    while (running) {
      const events = Array.from({ length: perSend }, () => ({ type: 'order', session_id: randomUUID(), value: 1 }))
      const began = performance.now()
      const { status, text } = await assay.call('POST', '/api/v1/events', events)
      slowestMs = Math.max(slowestMs, performance.now() - began)
      if (status === 202) sent += perSend
      else faults.push(`the collector answered ${status}: ${text}`)
      await sleep(betweenSendsMs)
    }
  })()
  return {
    sent: () => sent,
    async stop() {
      running = false
      await done
      return { sent, faults, slowestMs }
    },
  }
}

/** The same question each time, so that there is a kept answer for as long as one is kept. */
const answerOf = (assay: AssayProcess, more: object = {}) =>
  assay.call('POST', `/api/workspace/${demo}/dashboards/aggregate?fresh=true`, {
    ...{ event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 30 },
    ...more,
  })

/** What is kept is answered with the present lag; what is not kept cannot be, and that is told at once, with when to come again. */
async function labelFaults(assay: AssayProcess): Promise<string[]> {
  const kept = await answerOf(assay)
  const isLabelled = kept.status === 200 && kept.body.cache_hit && kept.body.lag > 0
  const began = performance.now()
  const { status, headers, text } = await answerOf(assay, { time_window_days: 29 })
  const tookMs = performance.now() - began
  const isTold = status === 503 && headers.get('retry-after') !== null && text.includes('SERVER_002')
  return [
    ...(isLabelled ? [] : [`a kept answer is ${kept.status} ${kept.text}`]),
    ...(isTold && tookMs < 2_000 ? [] : [`a new question was answered after ${tookMs} ms with ${status} ${text}`]),
  ]
}

async function lagOf(assay: AssayProcess): Promise<number> {
  const { text } = await assay.call('GET', '/metrics')
  return Number(/^assay_events_lag (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
}

async function caughtUp(assay: AssayProcess, sent: () => number, say: (text: string) => void): Promise<void> {
  const goal = sent()
  const began = Date.now()
  for (; Date.now() - began < catchesUpMs; await sleep(250)) {
    const { status, body } = await answerOf(assay)
    if (status === 200 && body.rows[0].value >= goal)
      return say(`it has caught up with ${goal} events in ${Date.now() - began} ms`)
  }
  throw new Error(`it has not caught up with ${goal} events`)
}

/** What is in the store may be there a moment before the log is told to be passed; until then the label says so. */
async function passed(assay: AssayProcess): ReturnType<typeof answerOf> {
  const until = Date.now() + passesMs
  for (;;) {
    const answer = await answerOf(assay)
    if (answer.body.lag === 0 || Date.now() > until) return answer
    await sleep(250)
  }
}

/** Blocks that are sent again are the same blocks, together as they were: those of a partition follow one another without overlap or hole. */
function tokenFaults(tokens: readonly string[]): string[] {
  const distinct = [...new Set(tokens)]
  if (distinct.length === tokens.length) return ['no block was sent again']
  const ends = new Map<string, number>()
  const blocks = distinct.flatMap((token) => token.split(','))
  return blocks.flatMap((token) => {
    const [epoch, partition, range = ''] = token.split(':')
    const [from = 0, to = 0] = range.split('-').map(Number)
    const key = `${epoch}:${partition}`
    const before = ends.get(key) ?? 0
    ends.set(key, to)
    return from === before ? [] : [`the block ${token} follows one that ended at ${before}`]
  })
}
