/** The last step of a snapshot: withdraws what the file lacks, in the same import, after its rows. */
import type { ImportOffsets, ImportRow } from '../infra/catalog/imports.ts'
import type { BronzeRecord } from '../schemas/pipeline.ts'
import { topics } from '../schemas/topics.ts'
import { extend } from './append-batch.ts'
import { isFault } from './candidate.ts'
import { type Asked, asJudged } from './identity.ts'
import type { ImportPorts } from './import-ports.ts'
import { withVerdicts } from './judged.ts'
import { openMissing, type SourceProduct } from './missing.ts'
import type { Run } from './pass-one.ts'
import type { Scratch } from './scratch.ts'

/**
 * The sink must have passed the import's rows. Places follow those of the rows, as `import_progress` asks; after a kill it goes
 * on behind the product that was withdrawn last.
 * @param keepPace waits while the sink is too far behind
 */
export async function withdrawMissing(
  run: Run,
  ports: ImportPorts,
  scratch: Scratch,
  keepPace: () => Promise<void>,
): Promise<void> {
  const { store } = ports
  const found = await store.find(run.row.id)
  if (!found) throw new Error(`import ${run.row.id} is gone`)
  const missing = await openMissing(scratch, store.sourceProducts(found.catalog, found.source))
  for await (const batch of withVerdicts(run.gathering, run.verdicts, -1)) {
    const asked = batch.flatMap(({ item, verdict }): Asked[] =>
      isFault(item) || (verdict && verdict.verdict !== 'win') ? [] : [asJudged(item, verdict)],
    )
    for (const { product } of (await run.resolve(asked, false)).found)
      if (product !== null) missing.listed.add([product])
  }
  let { offsets, appendedSeq } = found
  for await (const page of missing.products(found.withdrawnTo)) {
    await keepPace()
    offsets = await appendPage(found, run, ports, page, { offsets, appendedSeq })
    appendedSeq += page.length
  }
}

function appendPage(
  row: ImportRow,
  run: Run,
  ports: ImportPorts,
  page: readonly SourceProduct[],
  before: { readonly offsets: ImportOffsets | null; readonly appendedSeq: number },
): Promise<ImportOffsets> {
  const at = ports.now().toISOString()
  const last = page.at(-1)
  const records = page.map(({ product, sid, kind, family }, i): BronzeRecord => {
    const { workspace, brand, catalog, source, id } = row
    return {
      ...{ v: 1, op: 'withdraw', workspace, brand, catalog, product, source, sid, import: id },
      ...{ context: run.recordContext.id, seq: before.appendedSeq + 1 + i, rows: [], kind },
      ...(family === null ? {} : { family }),
      ...{ at, cells: {} },
    }
  })
  return ports.inTransaction(ports.pool, async (tx) => {
    if (!(await ports.store.hold(tx, row.id, before.appendedSeq)))
      throw new Error(`import ${row.id} is run by another process`)
    const values = records.map((record) => ({ key: record.product, value: JSON.stringify(record) }))
    const moved = extend(before.offsets, await ports.log.append(topics.bronze, values, tx), ports.log)
    await ports.store.set(tx, row.id, {
      appendedSeq: before.appendedSeq + records.length,
      offsets: moved,
      ...(last ? { withdrawnTo: last.product } : {}),
    })
    return moved
  })
}
