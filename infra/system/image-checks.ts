/** Checks a catalog's images as a job: gathers their addresses, fetches each once, and tells the products what was found (DESIGN 5.4). */
import { hash, randomUUID } from 'node:crypto'
import type { CheckPorts } from '../../ingest/images/check-image.ts'
import { imageCheckSource, imageChecksColumn } from '../../schemas/image-check.ts'
import { type BronzeRecord, clearWord } from '../../schemas/pipeline.ts'
import { cellOf } from '../../transforms/bronze/cell-value.ts'
import { imageChecksCell } from '../../transforms/silver/image-findings.ts'
import { countWanted, forgetImages, type KnownImage, knownImages, wantImages } from '../catalog/image-checks.ts'
import { groupAlike } from '../catalog/image-likeness.ts'
import { countDuplicates, countImages } from '../catalog/image-lists.ts'
import {
  type DueCheck,
  dueForImageCheck,
  type ImagedProduct,
  imagedPage,
  runningCheck,
} from '../catalog/imaged-products.ts'
import {
  completeJob,
  findJob,
  insertJob,
  JobEnded,
  type JobRow,
  moveJob,
  type Notify,
  startJob,
} from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { JobHandler, Jobs } from '../jobs.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { fetchWanted } from './image-fetching.ts'

export interface CheckOrder extends DueCheck {
  readonly by: string
  /** Only these products; null means the catalog. */
  readonly products: readonly string[] | null
  /** Also what is known and young. */
  readonly recheck: boolean
  readonly notify: Notify | null
}

export interface ImageChecks {
  /** @returns the job, and whether it is one that waited or ran already */
  start(order: CheckOrder): Promise<{ job: string; running: boolean }>
  readonly run: JobHandler
  /** Starts the checks that follow imports. @returns false: the next round comes by time */
  auto(): Promise<boolean>
}

interface Parts extends CheckPorts {
  readonly catalog: Catalog
  readonly bulk: BulkWriter
  readonly jobs: () => Jobs | null
}

interface Cursor {
  readonly phase: 'gather' | 'fetch' | 'tell'
  /** The product that the page before ended with. */
  readonly after: string | null
  /** Products that were told something new. */
  readonly changed: number
}

type Input = Pick<CheckOrder, 'products' | 'recheck'>

const begin: Cursor = { phase: 'gather', after: null, changed: 0 }
const pageRows = 500
/** The first and as many more as a platform takes of one product: Meta takes twenty. */
const imagesOfProduct = 21
/** What was well is believed this long, what was not may be mended any hour. */
const wellMs = 7 * 24 * 3_600_000
const othersMs = 3_600_000

const hashOf = (address: string) => hash('sha256', address, 'buffer').subarray(0, 16)

export function openImageChecks({ catalog, bulk, jobs, ...ports }: Parts): ImageChecks {
  const pool = catalog.pipeline

  const start: ImageChecks['start'] = ({ workspace, brand, catalog: of, by, notify, ...input }) =>
    catalog.inTransaction(pool, async (tx) => {
      const running = await runningCheck(tx, of)
      if (running !== null) return { job: running, running: true }
      const id = randomUUID()
      await insertJob(tx, { id, workspace, brand, catalog: of, kind: 'check_images', input, by, notify })
      const queue = jobs()
      if (!queue) throw new Error('this process has no job queue')
      await queue.send('check_images', id, tx)
      return { job: id, running: false }
    })

  async function run(id: string, signal: AbortSignal): Promise<void> {
    if (!(await startJob(pool, id))) return
    for (let more = true; more; ) {
      signal.throwIfAborted()
      const row = await findJob(pool, id)
      if (!row) return
      const at = (row.cursor as Cursor | null) ?? begin
      if (at.phase === 'gather') await gatherPage(row, at, signal)
      else if (at.phase === 'fetch') await fetchAll(row, at, signal)
      else more = await tellPage(row, at, signal)
    }
    await bulk.settled(signal)
    await complete(id)
  }

  /** Of one page of products the addresses that nobody knows, or not well enough any more. */
  async function gatherPage(row: JobRow, at: Cursor, signal: AbortSignal): Promise<void> {
    // What is on the log already names images, too.
    if (at.after === null) await bulk.settled(signal)
    const { products, recheck } = inputOf(row)
    const page = await imagedPage(pool, catalogOf(row), products, at.after, { limit: pageRows, most: imagesOfProduct })
    const images = new Map(
      page.flatMap(({ id: product, images }) => images.map((address) => [address, namedBy(product, address)] as const)),
    )
    const began = row.createdAt
    const before = (ms: number) => new Date(began.getTime() - (recheck ? 0 : ms))
    await catalog.inTransaction(pool, async (tx) => {
      await wantImages(tx, jobOf(row), [...images.values()], began, { well: before(wellMs), others: before(othersMs) })
      const last = page.at(-1)
      const to: Cursor = last ? { ...at, after: last.id } : { ...at, phase: 'fetch', after: null }
      await move(tx, row, to, { done: 0, total: last ? null : await countWanted(tx, row.id) })
    })
  }

  async function fetchAll(row: JobRow, at: Cursor, signal: AbortSignal): Promise<void> {
    const total = row.total ?? 0
    await fetchWanted(pool, ports, { ...jobOf(row), total }, signal)
    if (inputOf(row).products === null) await forgetImages(pool, catalogOf(row), row.createdAt)
    await catalog.inTransaction(pool, async (tx) => {
      await groupAlike(tx, catalogOf(row))
      await move(tx, row, { ...at, phase: 'tell' }, { done: total, total })
    })
  }

  /** @returns whether there are more pages */
  async function tellPage(row: JobRow, at: Cursor, signal: AbortSignal): Promise<boolean> {
    // What a check that was stopped has told must be in the layers.
    if (at.after === null) await bulk.settled(signal)
    const of = catalogOf(row)
    const { products } = inputOf(row)
    const page = await imagedPage(pool, of, products, at.after, { limit: pageRows, most: imagesOfProduct })
    const last = page.at(-1)
    if (!last) return false
    const addresses = [...new Set(page.flatMap(({ images }) => images))]
    const found = await knownImages(pool, of, addresses.map(hashOf))
    const known = new Map(found.map((one) => [one.hash.toString('hex'), one]))
    const records = page.flatMap((product) => recordOf(row, product, known) ?? [])
    const cursor: Cursor = { phase: 'tell', after: last.id, changed: at.changed + records.length }
    await bulk.step(row.id, row.cursor, { records, cursor, done: row.done, total: row.total }, signal)
    return true
  }

  async function complete(id: string): Promise<void> {
    const row = await findJob(pool, id)
    if (!row) return
    const of = catalogOf(row)
    const [images, duplicates] = await Promise.all([countImages(pool, of), countDuplicates(pool, of)])
    const { changed } = (row.cursor as Cursor | null) ?? begin
    await completeJob(pool, id, { fetched: row.total ?? 0, images, duplicates, changed })
  }

  return {
    start,
    run,
    async auto() {
      for (const due of await dueForImageCheck(pool))
        await start({ ...due, by: 'assay', products: null, recheck: false, notify: null })
      return false
    },
  }
}

type Tx = Parameters<typeof moveJob>[0]

async function move(tx: Tx, row: JobRow, to: Cursor, { done, total }: { done: number; total: number | null }) {
  if (!(await moveJob(tx, row.id, { from: row.cursor, to, done, total }))) throw new JobEnded(row.id)
}

const inputOf = (row: JobRow) => row.input as unknown as Input

function catalogOf({ id, catalog }: JobRow): string {
  if (catalog === null) throw new Error(`job ${id} is of no catalog`)
  return catalog
}

const jobOf = (row: JobRow) => ({ id: row.id, workspace: row.workspace, brand: row.brand, catalog: catalogOf(row) })

const namedBy = (product: string, address: string) => ({
  hash: hashOf(address),
  address,
  host: URL.parse(address)?.host ?? '',
  product,
})

/** null where the product has been told the same before. */
function recordOf(row: JobRow, product: ImagedProduct, known: ReadonlyMap<string, KnownImage>): BronzeRecord | null {
  const found = product.images.flatMap((image) => {
    const one = known.get(hashOf(image).toString('hex'))
    return one === undefined || one.state === 'unreachable' ? [] : [{ ...one, image, state: one.state }]
  })
  const cell = imageChecksCell(found) ?? clearWord
  const layer = product.layers?.layers.find(({ source }) => source === imageCheckSource)
  const before = layer && cellOf(layer.cells, imageChecksColumn)
  if (cell === (before ?? clearWord)) return null
  const { workspace, brand, catalog } = jobOf(row)
  return {
    ...{ v: 1, op: 'put', workspace, brand, catalog, product: product.id, sid: product.sid, source: imageCheckSource },
    ...{ context: 0, seq: -1, rows: [], kind: product.kind, at: new Date().toISOString() },
    ...(product.family === null ? {} : { family: product.family }),
    cells: { [imageChecksColumn]: cell },
  }
}
