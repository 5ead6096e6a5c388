/** One of each thing that a route can be about, for tests that ask every operation of the document. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { topics } from '../../schemas/topics.ts'
import { type Running, workspace } from '../running.ts'

export const base = `/api/workspace/${workspace}`

/** Real values of path parameters, by their names in the document. */
export type Ground = Readonly<Record<string, string>> & {
  readonly brandId: string
  readonly catalogId: string
  readonly productId: string
}

const file = [
  'Handle,Title,Vendor,Variant SKU,Option1 Name,Option1 Value,Variant Price',
  'tee,Tee,Lumo,T-S,Size,S,10.00',
  'tee,,,T-M,,M,10.00',
  'mug,Mug,Lumo,M-1,,,4.00',
  '',
].join('\n')

export async function layGround(assay: Running): Promise<Ground> {
  const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
    const answer = await assay.call(method, `${base}${path}`, body)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
  const catalogId = await assay.newCatalog('Ground')
  const imported = await assay.ingest(catalogId, file)
  await assay.publish(catalogId)
  const mug = (await assay.products(catalogId, { sku: 'M-1' }))[0]?.id ?? ''
  await ask('PATCH', `/catalog/products/${mug}`, { title: 'Large mug' })
  await assay.publish(catalogId)
  const { job, catalog: fork } = await ask('POST', `/catalogs/${catalogId}/fork`, { name: 'Fork' })
  await assay.job(job.id)
  const copy = (await assay.products(fork.id, { sku: 'M-1' }))[0]?.id ?? ''
  await ask('PATCH', `/catalog/products/${copy}`, { title: 'Mug of the fork' })
  await ask('PATCH', `/catalog/products/${mug}`, { title: 'Mug of the base' })
  const merging = await ask('POST', `/catalogs/${catalogId}/merge`, { from: fork.id, dry_run: true })
  await assay.job(merging.job.id)
  const { brands } = await ask('GET', '/brands')
  const { key } = await ask('POST', '/keys', { name: 'Ground', scopes: ['catalogs:read'], brand_id: null })
  const subject = 'auth0|ground'
  await ask('POST', '/members', { subject, role: 'viewer', all_brands: true })
  const { notifications } = await ask('GET', '/notifications')
  const brandId = brands[0].id
  const { upload } = await ask('POST', '/datasets/uploads', { file_name: 'ground.csv' })
  const question = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 7 }
  const widgets = [{ title: 'Events', definition: { type: 'counter', question } }]
  const { dashboard } = await ask('POST', '/dashboards', { name: 'Ground', widgets })
  const own = await layWebhook(assay, `${base}/webhooks`, { events: ['import.held'] })
  const feed = await layWebhook(assay, '/api/v1/feeds/google/webhooks', { events: ['feed.failed'] })
  const delta = await layWebhook(assay, `${base}/catalogs/${catalogId}/webhooks`, { target: 'shopify' })
  const made = await ask('POST', '/synonyms', { synonyms: [{ words: ['mug', 'cup'] }] })
  const ruled = await ask('POST', '/search/rules', { hide: [{ brands: ['Nobody'] }] })
  const mediaJobId = randomUUID()
  const letterId = await layDead(assay, mug)
  await assay.system.catalog.pipeline.query(
    `insert into media_job (media_job_id, workspace_id, brand_id, product_id, kind, input, created_by) values ($1, $2, $3, $4, 'image-edit', '{}', 'test')`,
    [mediaJobId, workspace, brandId, mug],
  )
  const replayed = await ask('POST', '/replays', { catalog_id: catalogId, share: 1 })
  await assay.job(replayed.job.id)
  return {
    ...{ workspaceId: workspace, brandId, catalogId, productId: mug, version: '1', platform: 'google' },
    ...{
      jobId: imported.id,
      forkId: fork.id,
      mergeId: merging.merge.id,
      replayId: replayed.replay.id,
      keyId: key.id,
      dashboardId: dashboard.id,
      widgetId: dashboard.widgets[0].id,
      subject,
      mediaJobId,
    },
    ...{ ...own, feedWebhookId: feed.webhookId, feedDeliveryId: feed.deliveryId },
    ...{ deltaWebhookId: delta.webhookId, deltaDeliveryId: delta.deliveryId },
    ...{ notificationId: notifications[0].id, uploadId: upload.id, part: '1', letterId },
    synonymId: made.synonyms[0].id,
    ruleId: ruled.rule.id,
    importId: imported.result.importId,
  }
}

/** A webhook, and a delivery to it. */
async function layWebhook(assay: Running, path: string, asks: object) {
  const hook = { url: 'https://shop.invalid/hook', ...asks }
  const { id: webhookId } = (await assay.call('POST', path, hook)).body
  const deliveryId = randomUUID()
  const pool = assay.system.catalog.pipeline
  await pool.query(
    `insert into webhook_event (event_id, workspace_id, brand_id, kind, body, occurred_at)
     select $1, workspace_id, brand_id, events[1], '{}', now() from webhook where webhook_id = $2`,
    [deliveryId, webhookId],
  )
  await pool.query(
    `insert into webhook_delivery (delivery_id, webhook_id, workspace_id, brand_id, event_id, sequence, state)
     select $1, webhook_id, workspace_id, brand_id, $1, 1, 'delivered' from webhook where webhook_id = $2`,
    [deliveryId, webhookId],
  )
  // The next is its second.
  await pool.query(
    `insert into webhook_turn (webhook_id, sequence) values ($1, 1) on conflict (webhook_id) do update set sequence = 1`,
    [webhookId],
  )
  return { webhookId, deliveryId }
}

/** A record of a version that nobody knows. @returns the letter's id */
async function layDead({ system: { log, catalog } }: Running, key: string): Promise<string> {
  const [range] = await log.append(topics.bronze, [{ key, value: JSON.stringify({ v: 9, workspace }) }])
  if (!range) throw new Error('nothing was appended')
  const { partition, from } = range
  const sql = 'select from dead_record where topic = $1 and partition = $2 and "offset" = $3'
  while ((await catalog.pipeline.query(sql, [topics.bronze, partition, from])).rowCount === 0) await sleep(10)
  return [topics.bronze, log.epoch, partition, from].join(':')
}

/** A job in a state that the database lets it have. */
export async function jobIn(
  assay: Running,
  status: 'queued' | 'failed',
  { brandId, catalogId }: Ground,
): Promise<string> {
  const id = randomUUID()
  await assay.system.catalog.pipeline.query(
    `insert into job (job_id, workspace_id, brand_id, catalog_id, kind, input, created_by, status) values ($1, $2, $3, $4, 'publish', '{}', 'test', $5)`,
    [id, workspace, brandId, catalogId, status],
  )
  return id
}
