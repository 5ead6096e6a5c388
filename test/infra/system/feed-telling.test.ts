import { expect, test } from 'vitest'
import { tellFeed } from '../../../infra/system/feed-telling.ts'
import { openFeeding } from '../../../infra/system/feeding.ts'
import { endOfVersion } from '../../../schemas/position.ts'
import { publishGround } from '../catalog/publish-ground.ts'

const { catalog, sql, products, publish } = publishGround()

test('a feed that cannot be made is told as failed, and why is told to the log', async () => {
  // Their content lacks what every refined product has: the writer of feeds throws.
  await products(2)
  await publish()
  await sql(
    `insert into feed_untold (catalog_id, version, platform, workspace_id, brand_id)
     select catalog_id, 1, 'google', workspace_id, brand_id from catalog where catalog_id = $1`,
  )
  const errors: unknown[] = []
  const feeding = openFeeding(catalog())
  const parts = {
    catalog: catalog(),
    feeding,
    config: { publicUrl: 'https://assay.example', host: '127.0.0.1', port: 8080 },
  }
  const told = { ...parts, now: () => new Date(), onError: (error: unknown) => errors.push(error) }
  expect(await tellFeed(told, new AbortController().signal)).toBe(true)
  const { rows } = await sql(`select kind, position, body from outbox where catalog_id = $1 and platform = 'google'`)
  expect(rows).toEqual([
    { kind: 'feed.failed', position: endOfVersion(1), body: expect.objectContaining({ product_count: 0 }) },
  ])
  expect(errors).toHaveLength(1)
  const [error] = errors as Error[]
  expect(error?.message).toMatch(/the google feed of catalog .* at version 1 failed/)
  expect(error?.cause).toBeInstanceOf(TypeError)
})
