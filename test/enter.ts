/** How tests use a workspace of a running Assay: over its API, waiting for what follows. */
import { setTimeout as sleep } from 'node:timers/promises'
import { kept } from '../infra/catalog/kept.ts'
import { ensureWorkspace } from '../infra/catalog/tenants.ts'
import type { Role } from '../schemas/access.ts'
import type { ProductResource } from '../serving/workspace/product-resource.ts'
import type { Job, Running } from './running.ts'
import { documentedAnswers } from './serving/documented.ts'

/** The workspace is made where it is not there. @param guardShare of rows that a snapshot may take out */
export async function enter(
  { system, app, config }: Pick<Running, 'system' | 'app' | 'config'>,
  workspace: string,
  guardShare: number,
): Promise<Omit<Running, 'stop' | 'close'>> {
  await ensureWorkspace(system.catalog.pipeline, workspace, 'Test')
  await system.catalog.pipeline.query(
    `update settings_version set body = jsonb_set(body, '{guardShare}', $2) where workspace_id = $1`,
    [workspace, JSON.stringify(guardShare)],
  )
  const token = (role: Role, more: { workspace?: string; brand?: string | null } = {}) =>
    system.tokens.sign({ subject: `test:${role}`, workspace, role, brand: null, scope: '', ...more }, 3_600)
  const admin = await token('admin')
  const base = `/api/workspace/${workspace}`

  const documented = documentedAnswers(app)
  const call: Running['call'] = async (method, path, body, headers = {}) => {
    const raw = Buffer.isBuffer(body)
    const answer = await app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${admin}`, ...(raw ? { 'content-type': 'text/csv' } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    await documented(method, path, answer.statusCode)
    const text = answer.payload
    let parsed: unknown = null
    if (String(answer.headers['content-type']).includes('json') && !text.includes('}\n{'))
      parsed = JSON.parse(text || 'null')
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed }
  }
  const status = async (id: string) =>
    (await system.catalog.pipeline.query<{ status: string }>(kept('select status from job where job_id = $1', [id])))
      .rows[0]?.status
  const job = async (id: string): Promise<Job> => {
    // Most jobs of tests are short, and there are thousands: to ask the API each time was a sixth of what a small import takes.
    for (let pauseMs = 10; ; pauseMs = Math.min(50, pauseMs * 1.5)) {
      const now = await status(id)
      if (now !== 'queued' && now !== 'active') return (await call('GET', `/jobs/${id}`)).body.job
      await sleep(pauseMs)
    }
  }
  return {
    workspace,
    system,
    app,
    config,
    call,
    token,
    job,
    async newCatalog(name = 'test') {
      return (await call('POST', `${base}/catalogs`, { name })).body.catalog.id
    },
    async ingest(catalog, file, query = {}) {
      const search = new URLSearchParams({ catalog_id: catalog, ...query })
      const answer = await call('POST', `${base}/datasets/ingest?${search}`, Buffer.from(file))
      if (answer.status !== 202) throw new Error(`ingest answered ${answer.status}: ${answer.text}`)
      return job(answer.body.job.id)
    },
    async products(catalog, query = {}) {
      const found: ProductResource[] = []
      for (let after: string | null = ''; after !== null; ) {
        const search = new URLSearchParams({ catalog_id: catalog, limit: '200', ...query, ...(after ? { after } : {}) })
        const { body } = await call('GET', `${base}/catalog/products?${search}`)
        found.push(...body.products)
        after = body.next
      }
      return found
    },
    async rows(importId) {
      const { rows } = await system.catalog.pipeline.query(
        'select row_number as row, result, code, says, field, raw from import_row where import_id = $1 order by row_number, ordinal',
        [importId],
      )
      return rows
    },
    async change(importId, what) {
      const answer = await call('POST', `${base}/imports/${importId}/${what}`, {})
      if (answer.status !== 202) throw new Error(`${what} answered ${answer.status}: ${answer.text}`)
      const ended = await job(answer.body.job.id)
      if (ended.status !== 'completed') throw new Error(`${what} ${ended.status}: ${ended.error?.message}`)
    },
    async publish(catalog) {
      const answer = await call('POST', `${base}/catalogs/${catalog}/publish`, {})
      if (answer.status !== 202) throw new Error(`publish answered ${answer.status}: ${answer.text}`)
      const ended = await job(answer.body.job.id)
      if (ended.status !== 'completed') throw new Error(`publish ${ended.status}: ${ended.error?.message}`)
      return ended.result as unknown as Record<string, number>
    },
    async feed(catalog) {
      const { text, status } = await call('GET', `/api/mcp/feed/google?catalog_id=${catalog}`, undefined, {
        accept: 'application/x-ndjson',
      })
      // Where the platform would take nothing.
      if (status === 422) return []
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    },
  }
}
