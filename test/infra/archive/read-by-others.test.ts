import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { postgresLog } from '../../../infra/log/postgres.ts'
import { openArchiving } from '../../../infra/system/archiving.ts'
import { topics } from '../../../schemas/topics.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'
import { archivingParts } from './archiving-parts.ts'

const has = (library: string): boolean => {
  try {
    execFileSync('python3', ['-c', `import ${library}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let database: TestDatabase
let catalog: Catalog
let folder: string
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  folder = await mkdtemp(join(tmpdir(), 'assay-archive-'))
  const log = postgresLog(catalog.pipeline, { epoch: 1, partitions: 4 })
  const records = Array.from({ length: 300 }, (_, n) => ({
    key: randomUUID(),
    value: JSON.stringify({ workspace: `ws_${n % 3}`, at: `2026-11-0${1 + (n % 2)}T00:00:00Z`, cells: { n: 'ä' } }),
  }))
  await log.append(
    topics.bronze,
    records.filter((_, n) => n % 2 === 0),
  )
  await log.append(
    topics.bronze,
    records.filter((_, n) => n % 2 === 1),
  )
  await openArchiving(archivingParts({ folder, catalog, log })).runNow(new AbortController().signal)
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

const python = async (script: string): Promise<unknown> => {
  const files = `${join(folder, 'archive')}/products.bronze/**/*.parquet`
  return JSON.parse((await promisify(execFile)('python3', ['-c', script, files])).stdout)
}
const expected = [
  ['2026-11-01', 150, 'ä'],
  ['2026-11-02', 150, 'ä'],
]

test.skipIf(!has('duckdb'))("Python's DuckDB reads the archive (skipped where Python has no duckdb)", async () => {
  const rows = await python(`
import duckdb, json, sys
rows = duckdb.sql(f"""select day::varchar, count(*), min(json_extract_string(decode(value), '$.cells.n')) from read_parquet('{sys.argv[1]}')
  group by day order by day""").fetchall()
print(json.dumps(rows))`)
  expect(rows).toEqual(expected)
})

test.skipIf(!has('polars'))('Polars reads the archive (skipped where Python has no polars)', async () => {
  const rows = await python(`
import polars as pl, json, sys
frame = pl.read_parquet(sys.argv[1], hive_partitioning=True)
out = []
for (day,), some in sorted(frame.group_by("day"), key=lambda one: str(one[0][0])):
  out.append([str(day), some.height, json.loads(some["value"][0].decode())["cells"]["n"]])
print(json.dumps(out))`)
  expect(rows).toEqual(expected)
})
