/** The independent check of aggregations in its long form: a million events, and DuckDB asked the same over them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bothEngines } from '../infra/events/both-engines.ts'
import { chance } from '../infra/events/some-events.ts'

const questions = 300

export interface CheckAnswers {
  readonly events: number
  readonly seed: number
  readonly say: (text: string) => void
}

/** @returns the questions that both do not answer alike */
export async function checkAnswers({ events, seed, say }: CheckAnswers): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-answers-'))
  const now = new Date('2026-11-20T09:30:00.000Z')
  const ground = chance(seed, now)
  try {
    const both = await bothEngines(folder, ground, events, now)
    say(`${events} events are in both`)
    const faults: string[] = []
    let rows = 0
    for (let i = 0; i < questions; i++) {
      const asked = ground.question()
      const { own, duckdb } = await both.ask(asked)
      rows += own.length
      if (JSON.stringify(own) !== JSON.stringify(duckdb))
        faults.push(
          `${JSON.stringify(asked)}: ${own.length} rows against ${duckdb.length}, ${firstDifference(own, duckdb)}`,
        )
    }
    say(`${questions} questions, ${rows} rows`)
    if (rows < questions) faults.push('most questions have no rows: that checks nothing')
    await both.close()
    return faults
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function firstDifference(own: readonly unknown[], duckdb: readonly unknown[]): string {
  const [one, other] = [own, duckdb].map((rows) => rows.map((row) => JSON.stringify(row)))
  return `first ${one?.find((row) => !other?.includes(row))} against ${other?.find((row) => !one?.includes(row))}`
}
