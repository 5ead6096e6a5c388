/** A file's items with their verdicts, in batches of the size that is appended at once. */
import type { Item } from './candidate.ts'
import type { Gathering } from './gather.ts'
import type { Verdict, Verdicts } from './verdicts.ts'

/** Items of one append: one transaction with identities, results and the log. */
const batchItems = 8_000

export interface Judged {
  readonly item: Item
  readonly verdict: Verdict | null
}

/** @param after the last seq that is not wanted again */
export async function* withVerdicts(gathering: Gathering, verdicts: Verdicts, after: number): AsyncGenerator<Judged[]> {
  const exceptions = flatten(verdicts.exceptions())
  let next = await exceptions.next()
  let batch: Judged[] = []
  for await (const items of gathering.items()) {
    for (const item of items) {
      while (!next.done && next.value.seq < item.seq) next = await exceptions.next()
      if (item.seq <= after) continue
      batch.push({ item, verdict: !next.done && next.value.seq === item.seq ? next.value : null })
      if (batch.length >= batchItems) {
        yield batch
        batch = []
      }
    }
  }
  if (batch.length > 0) yield batch
}

async function* flatten<T>(batches: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}
