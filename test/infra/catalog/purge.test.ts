import { afterAll, beforeAll, expect, test } from 'vitest'
import { purgeStep } from '../../../infra/catalog/purge.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const file = 'sku,title,price\nP-1,Mug,"1,50"\nP-2,Stool,"9,00"\nP-3,,\n'

async function rowsOf(id: string): Promise<Record<string, number>> {
  const pool = assay.system.catalog.pipeline
  const { rows } = await pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and column_name = 'catalog_id' and t.table_type = 'BASE TABLE'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const found = await pool.query<{ n: number }>(`select count(*) as n from ${name} where catalog_id = $1`, [id])
    if (found.rows[0]?.n) counts[name] = found.rows[0].n
  }
  return counts
}

/** Counted when what follows its writes (its lists, the relay of its changes) has caught up. */
async function settled(id: string): Promise<Record<string, number>> {
  const waiting = `
    select from rank_due where catalog_id = $1
    union all
    select from published p where catalog_id = $1
       and not exists (select from change_cursor r where r.catalog_id = p.catalog_id and r.version >= p.valid_from)`
  while ((await assay.system.catalog.pipeline.query(waiting, [id])).rowCount)
    await new Promise((go) => setTimeout(go, 50))
  return rowsOf(id)
}

/** The search for duplicates comes when it comes, and writes meanwhile. */
const withoutSearch = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => !name.startsWith('duplicate_')))

/** Of two files; the first is the same for all. */
async function filled(title: string): Promise<string> {
  const id = await assay.newCatalog()
  await assay.call('POST', `/api/workspace/${workspace}/search/rules`, { catalog_id: id, hide: [{ brands: ['x'] }] })
  await assay.ingest(id, file)
  await assay.publish(id)
  await assay.ingest(id, file.replace('Mug', title))
  await assay.publish(id)
  return id
}

test('a catalog that can no longer be brought back leaves the log, its jobs and nothing of its products; its neighbour is as it was', async () => {
  const pool = assay.system.catalog.pipeline
  const [id, neighbour] = [await filled('Large mug'), await filled('Huge mug')]
  const { body } = await assay.call('DELETE', `/api/workspace/${workspace}/catalogs/${id}`)
  expect((await assay.job(body.job.id)).status).toBe('completed')
  const before = await settled(neighbour)
  const logged = await pool.query('select sum(n) as n from log where topic = $1', ['products.bronze'])
  const removed: string[] = []
  const step = () =>
    purgeStep(pool, 7, { files: async (spools) => void removed.push(...spools), feedFiles: async () => {} })
  expect(await step()).toBe(false)
  // Told to readers of catalog.changes first.
  for (let gone = false; !gone; await new Promise((go) => setTimeout(go, 50)))
    gone = (await pool.query('select gone from change_cursor where catalog_id = $1', [id])).rows[0]?.gone === true
  await pool.query(`update catalog set deleted_at = now() - interval '8 days' where catalog_id = $1`, [id])
  let steps = 0
  for (; await step(); steps++);
  expect(steps).toBeGreaterThan(5)
  // The same bytes are kept once: the neighbour still has the other.
  expect(removed).toHaveLength(1)
  expect(Object.keys(await rowsOf(id)).sort()).toEqual(['catalog', 'import_context', 'job'])
  const left = await pool.query('select from import_outcome where import_id not in (select import_id from import)')
  expect(left.rowCount).toBe(0)
  expect(withoutSearch(await rowsOf(neighbour))).toEqual(withoutSearch(before))
  expect((await pool.query('select sum(n) as n from log where topic = $1', ['products.bronze'])).rows).toEqual(
    logged.rows,
  )
})
