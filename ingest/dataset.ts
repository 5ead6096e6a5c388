/** One import from its spooled file to records on the log, with a result for every row; resumable at any point. */
import { topics } from '../schemas/topics.ts'
import { appendBatch } from './append-batch.ts'
import type { ImportPorts, ImportResult, Progress } from './import-ports.ts'
import { withVerdicts } from './judged.ts'
import { passOne, type Run } from './pass-one.ts'
import { openScratch } from './scratch.ts'
import { withdrawMissing } from './withdraw.ts'

/** Bulk writers keep this many records unread a partition, so that an edit behind them waits two or three seconds. */
const aheadRecords = 20_000

/** @throws TableError where the file as a whole cannot be read: nothing of it has been appended */
export async function runImport(
  id: string,
  ports: ImportPorts,
  signal: AbortSignal,
  progress: Progress,
): Promise<ImportResult> {
  const found = await ports.store.find(id)
  if (!found) throw new Error(`import ${id} is gone`)
  const scratch = openScratch(ports.scratchPath(id))
  try {
    const run = await passOne(found, ports, scratch, signal, progress)
    await passTwo(run, ports, signal, progress)
    // What is in no catalog yet lacks nothing.
    if (found.options.snapshot && !run.empty) {
      await passed(run, ports, signal, progress)
      await withdrawMissing(run, ports, scratch, () => keepPace(ports, signal))
    }
    return await settle(run, ports, signal, progress)
  } finally {
    await scratch.close()
  }
}

async function passTwo(run: Run, ports: ImportPorts, signal: AbortSignal, progress: Progress) {
  const { row, gathering, verdicts } = run
  await ports.store.set(null, row.id, { state: 'appending' })
  let { offsets, appendedSeq } = row
  const parents = new Map<string, string>()
  const cased = row.appendedSeq < 0 ? await verdicts.caseOnly() : []
  let first = true
  for await (const batch of withVerdicts(gathering, verdicts, row.appendedSeq)) {
    signal.throwIfAborted()
    await keepPace(ports, signal)
    offsets = await appendBatch(run, ports, batch, { offsets, appendedSeq }, parents, first ? cased : [])
    appendedSeq = batch.at(-1)?.item.seq ?? appendedSeq
    first = false
    await progress(() => settled(ports, row.id), run.read)
  }
}

async function keepPace({ log, store, pause }: ImportPorts, signal: AbortSignal) {
  for (;;) {
    const [ends, positions] = await Promise.all([log.ends(topics.bronze), store.positions()])
    if (ends.every((end, i) => end - (positions[i] ?? 0) <= aheadRecords)) return
    signal.throwIfAborted()
    await pause(50)
  }
}

const settled = async (ports: ImportPorts, id: string) => {
  const o = await ports.store.sumOutcomes(id)
  return o.created + o.updated + o.unchanged + o.duplicate + o.rejected
}

/** Waits until the sink has passed the import's last offset in every partition. */
async function passed({ row, read }: Run, ports: ImportPorts, signal: AbortSignal, progress: Progress): Promise<void> {
  const latest = await ports.store.find(row.id)
  const to = latest?.offsets?.to ?? []
  for (;;) {
    const positions = await ports.store.positions()
    if (to.every((end, i) => end === null || (positions[i] ?? 0) >= end)) break
    signal.throwIfAborted()
    await progress(() => settled(ports, row.id), read)
    await ports.pause(50)
  }
}

async function settle(run: Run, ports: ImportPorts, signal: AbortSignal, progress: Progress): Promise<ImportResult> {
  const { row, read } = run
  await ports.store.set(null, row.id, { state: 'settling' })
  await passed(run, ports, signal, progress)
  const outcome = await ports.store.sumOutcomes(row.id)
  const sum = outcome.created + outcome.updated + outcome.unchanged + outcome.duplicate + outcome.rejected
  if (sum !== read) throw new Error(`the ledger does not balance: ${read} rows read, ${sum} with a result`)
  // Edits are no file source, whose header others are compared with, and rejects are part of a file.
  if (run.recordContext.id !== 0 && !row.options.rejects) await ports.store.saveSource(row, run.header, read)
  return { read, ...outcome, notes: run.context.notes }
}
