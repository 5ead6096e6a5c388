/** Finds on the log which products a catalog has, over all epochs, in steps that can be gone on from. */
import { LogIncomplete } from '../../schemas/log-incomplete.ts'
import { topics } from '../../schemas/topics.ts'
import type { KeptEpoch } from '../catalog/log-epochs.ts'
import { epochOf } from '../log/epoch-of.ts'
import type { Log } from '../log/port.ts'

export interface SurveyPlace {
  readonly epoch: number
  readonly partition: number
  readonly next: number
}

export interface SurveyStep {
  /** Of the catalog, each once. */
  readonly ids: readonly string[]
  readonly to: SurveyPlace
}

const readRecords = 5_000

/** @param from null: from the first record of the first epoch @throws LogIncomplete */
export async function* survey(
  log: Log,
  epochs: readonly KeptEpoch[],
  catalog: string,
  from: SurveyPlace | null,
): AsyncGenerator<SurveyStep> {
  // Most records of a log are other catalogs': only what has this text in it is read.
  const mark = Buffer.from(`"${catalog}"`)
  for (const { epoch, partitions, begins } of epochs) {
    if (epoch < (from?.epoch ?? 0)) continue
    const reader = epochOf(log, epoch)
    const ends = await reader.ends(topics.bronze)
    for (let partition = 0; partition < partitions; partition++) {
      if (epoch === from?.epoch && partition < from.partition) continue
      const isPlace = epoch === from?.epoch && partition === from.partition
      let next = isPlace ? from.next : (begins[topics.bronze]?.[partition] ?? 0)
      while (next < (ends[partition] ?? 0)) {
        const read = await reader.read(topics.bronze, partition, next, readRecords)
        const [first, last] = [read[0], read.at(-1)]
        if (first?.offset !== next || !last)
          throw new LogIncomplete(
            `Partition ${partition} of epoch ${epoch} of the log is kept from offset ${first?.offset ?? ends[partition]} on, and what stood from ${next} on is gone; nothing can be rebuilt without it.`,
            [{ epoch, partition, from: next, to: first?.offset ?? ends[partition] ?? next }],
          )
        next = last.offset + 1
        const of = read.filter(({ value }) => value.includes(mark) && catalogIn(value) === catalog)
        yield { ids: [...new Set(of.map(({ key }) => key))], to: { epoch, partition, next } }
      }
    }
  }
}

function catalogIn(value: Buffer): unknown {
  try {
    return (JSON.parse(value.toString()) as { catalog?: unknown } | null)?.catalog
  } catch {
    return null
  }
}
