/** `npm run bench kafka [records] [rounds]`: from the broker through refine and grade to Postgres, and to a topic in its place, beside a Kafka Streams program that only maps, and bare consumers. */

import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { table } from '../../infra/cli/table.ts'
import { openKafka } from '../../infra/log/kafka.ts'
import type { ImportContext } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { startCluster } from '../kafka/brokers.ts'
import { whyNoBroker } from '../kafka/jars.ts'
import { kafkaSettings } from '../kafka/settings.ts'
import { type Apart, afreshSql, startApart } from './apart.ts'
import { writeCatalogFile } from './catalog-file.ts'
import { importOnce } from './import-file.ts'
import { atOnce, consumeOurs, consumeTheirs, type Ground, ourPass, type Pass, streamsPass } from './kafka-passes.ts'
import { steadyRate } from './steady-rate.ts'

const partitions = 4
/** Of a broker whose speed counts, in contrast to those of tests. */
const brokerFlags = ['-Xms1g', '-Xmx1g', '-XX:+UseG1GC']
/** Records of both outputs that are compared. */
const compared = 1_000

export async function kafkaBench([count = '100000', times = '1']: string[]): Promise<void> {
  const [rows, rounds] = [Number(count), Number(times)]
  const missing = await whyNoBroker()
  if (missing !== null) throw new Error(missing)
  const cluster = await startCluster({ flags: brokerFlags })
  const settings = kafkaSettings(cluster, 'bench.')
  const apart = await startApart({ KAFKA_BROKERS: cluster.addresses, ASSAY_KAFKA_PREFIX: settings.prefix })
  try {
    const fromFile = await filled(apart, rows)
    const kafka = await openKafka(settings, { epoch: 1, partitions })
    try {
      const records = await recordsOf(kafka.log.ends(topics.bronze))
      const ground = { kafka, settings, contexts: await contextsOf(apart), records, folder: apart.folder }
      const seen = await besideOneAnother(ground, rounds)
      const sunk = await intoPostgres(apart, records)
      tell(records, rounds, { ...seen, sunk: [sunk] }, fromFile)
    } finally {
      await kafka.close()
    }
  } finally {
    await apart.close()
    await cluster.close()
  }
}

/** An import of a file through Assay on this broker: its records are what all are measured over. @returns rows a second */
async function filled(apart: Apart, rows: number): Promise<number> {
  const file = join(apart.folder, 'catalog.csv')
  await writeCatalogFile(file, rows)
  const url = await apart.serve()
  await apart.transform(atOnce)
  const seconds = await importOnce(url, await apart.token(), file)
  await apart.end()
  // The passes write three topics as large, and need none of these rows.
  await asked(apart, afreshSql)
  return rows / seconds
}

const recordsOf = async (ends: Promise<readonly number[]>) => (await ends).reduce((a, b) => a + b, 0)

async function asked<R extends pg.QueryResultRow>(apart: Apart, sql: string): Promise<R[]> {
  const client = new pg.Client(apart.databaseUrl)
  await client.connect()
  return client
    .query<R>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const contextsOf = async (apart: Apart): Promise<ImportContext[]> =>
  (await asked<{ id: string; body: ImportContext }>(apart, 'select context_id as id, body from import_context')).map(
    ({ id, body }) => ({ ...body, id: Number(id) }),
  )

type Rates = Record<
  'ours' | 'theirs' | 'streams' | 'streamsFromStart' | 'mapped' | 'mappedFromStart' | 'graded',
  number[]
>

/** In turn, so that a machine which slows down slows all. */
async function besideOneAnother(ground: Ground, rounds: number): Promise<Rates> {
  const seen: Rates = {
    ...{ ours: [], theirs: [], graded: [] },
    ...{ streams: [], streamsFromStart: [], mapped: [], mappedFromStart: [] },
  }
  for (let round = 0; round < rounds; round++) {
    seen.ours.push(await consumeOurs(ground))
    seen.theirs.push(await consumeTheirs(ground))
    // What one has written goes to the disk while the next one writes: they are first by turns.
    const early = round % 2 === 1 ? await ourPass(ground, 'map') : null
    const streams = await streamsPass(ground)
    const mapped = early ?? (await ourPass(ground, 'map'))
    await sameIn(ground, streams, mapped)
    const graded = await ourPass(ground, 'grade')
    seen.streams.push(streams.perSecond)
    seen.streamsFromStart.push(streams.fromStart)
    seen.mapped.push(mapped.perSecond)
    seen.mappedFromStart.push(mapped.fromStart)
    seen.graded.push(graded.perSecond)
  }
  return seen
}

/** Both do the same work, or nothing is compared. */
export async function sameIn({ kafka: { log } }: Pick<Ground, 'kafka'>, a: Pass, b: Pass): Promise<number> {
  let same = 0
  for (let partition = 0; partition < log.partitions; partition++) {
    const [left, right] = await Promise.all([a, b].map(({ out }) => log.read(out, partition, 0, compared)))
    for (const [i, { key, value }] of (left ?? []).slice(0, compared).entries()) {
      const other = right?.[i]
      if (key !== other?.key || !isDeepStrictEqual(JSON.parse(value.toString()), JSON.parse(other.value.toString())))
        throw new Error(`the two made of ${key}: ${value} and ${other?.value}`)
      same++
    }
  }
  return same
}

/** Transforms with their sink, over the same records. @returns records a second */
async function intoPostgres(apart: Apart, records: number): Promise<number> {
  const client = new pg.Client(apart.databaseUrl)
  await client.connect()
  try {
    await client.query(afreshSql)
    await apart.transform(atOnce)
    const sql = `select coalesce(sum(next_offset), 0)::int as n from sink_position where consumer_group = 'products'`
    return await steadyRate(records, async () => (await client.query<{ n: number }>(sql)).rows[0]?.n ?? 0)
  } finally {
    await client.end()
  }
}

function tell(records: number, rounds: number, seen: Rates & { readonly sunk: number[] }, fromFile: number): void {
  const middle = (rates: readonly number[]) => rates.toSorted((a, b) => a - b)[rates.length >> 1] ?? 0
  const consume = middle(seen.ours)
  const streams = middle(seen.streams)
  const lines = [
    ['consume and count, our adapter, one process', seen.ours],
    ['consume and count, kafkajs, one process', seen.theirs],
    [`Kafka Streams, ${atOnce} threads: parse, map, write to a topic`, seen.streams],
    ['the same from its start to its last record', seen.streamsFromStart],
    [`Assay, ${atOnce} processes: parse, map, write to a topic`, seen.mapped],
    ['the same from its start to its last record', seen.mappedFromStart],
    [`Assay, ${atOnce} processes: merge, refine, grade, write to a topic`, seen.graded],
    [`Assay, ${atOnce} processes: merge, refine, grade, write to Postgres`, seen.sunk],
  ] as const
  const shown = lines.map(([what, rates]) => {
    const rate = middle(rates)
    const each = rates.map((one) => Math.round(one)).join(' ')
    return [what, `${Math.round(rate)}/s`, (rate / consume).toFixed(2), (rate / streams).toFixed(2), each]
  })
  const of = `${records} records in ${partitions} partitions, zstd, acks all; the first fifth of each pass is not counted; middle of ${rounds}`
  process.stdout.write(
    `${of}\n${table([['', 'records/s', 'of consume', 'of Kafka Streams', 'each round'], ...shown])}\n`,
  )
  process.stdout.write(`file to scored row through this broker: ${Math.round(fromFile)}/s\n`)
  const judged = [
    ['the same mapping, a run from its start to its end', seen.mappedFromStart, seen.streamsFromStart],
    ['the same mapping, compilers warm', seen.mapped, seen.streams],
    ['refined and graded too, which Streams does not do', seen.graded, seen.streams],
  ] as const
  for (const [what, rates, theirs] of judged) {
    const ratio = middle(rates) / middle(theirs)
    const bar = `bar, without the sink at least Kafka Streams, ${what}`
    process.stdout.write(`${bar}: ${ratio.toFixed(2)}, ${ratio >= 1 ? 'met' : 'missed'}\n`)
  }
}
