import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { type DueWork, openWhenDue } from '../../../infra/system/when-due.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  await catalog.pipeline.query('create table due_here (name text)')
})
afterAll(async () => {
  await catalog?.close()
  await database?.drop()
})

const isDue = (name: string) => `exists (select from due_here where name = '${name}')`
const owe = (name: string) => catalog.pipeline.query('insert into due_here values ($1)', [name])
const settle = (name: string) => catalog.pipeline.query('delete from due_here where name = $1', [name])
const startWhenDue = (pool: Pool, all: readonly DueWork[], pauseMs: number, onError: (error: unknown) => void) => {
  const due = openWhenDue(pool, pauseMs, onError)
  const end = due.watch(all, onError)
  return async () => {
    await end()
    await due.stop()
  }
}
const noError = (error: unknown) => {
  throw error
}

test('what is due is done until there is no more, and nothing else is touched', async () => {
  const done: string[] = []
  const work = (name: string) => async () => {
    done.push(name)
    if (done.length === 3) await settle(name)
    return done.length < 3
  }
  const all = ['one', 'other'].map((name) => ({ isDue: isDue(name), work: work(name) }))
  const stop = startWhenDue(catalog.pipeline, all, 10, noError)
  await sleep(60)
  expect(done).toEqual([])
  await owe('one')
  await expect.poll(() => done.length).toBe(3)
  await sleep(60)
  await stop()
  expect(done).toEqual(['one', 'one', 'one'])
})

test('what takes long is not begun a second time, and keeps nothing else back', async () => {
  let begun = 0
  let letGo = () => {}
  const long = new Promise<boolean>((resolve) => {
    letGo = () => resolve(false)
  })
  const quick: number[] = []
  const all = [
    { isDue: 'true', work: () => (++begun === 1 ? long : Promise.resolve(false)) },
    { isDue: isDue('quick'), work: async () => quick.push(1) < 0 },
  ]
  const stop = startWhenDue(catalog.pipeline, all, 10, noError)
  await owe('quick')
  await expect.poll(() => quick.length).toBeGreaterThan(2)
  expect(begun).toBe(1)
  letGo()
  await expect.poll(() => begun).toBeGreaterThan(1)
  await stop()
})

test('what fails is told and tried again, and the end waits for what is at work', async () => {
  const told: string[] = []
  let ended = false
  const all = [
    {
      isDue: 'true',
      async work() {
        if (told.length < 2) throw new Error('not yet')
        await sleep(50)
        ended = true
        return false
      },
    },
  ]
  const stop = startWhenDue(catalog.pipeline, all, 10, (error) => told.push(String(error)))
  await expect.poll(() => told.length).toBe(2)
  await sleep(30)
  await stop()
  expect(told).toEqual(['Error: not yet', 'Error: not yet'])
  expect(ended).toBe(true)
})
