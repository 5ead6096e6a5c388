/** A child process of `bench events`: Assay with one route more, which answers the same bytes to whoever may read dashboards. */
import { parseArgs } from 'node:util'
import { ensureWorkspace } from '../../infra/catalog/tenants.ts'
import { readConfig } from '../../infra/config.ts'
import { openLogger } from '../../infra/logger.ts'
import { serverPorts } from '../../infra/system/server-ports.ts'
import { openSystem } from '../../infra/system.ts'
import { buildServer } from '../../serving/server.ts'
import { workspace } from './serving.ts'

const { values } = parseArgs({ options: { data: { type: 'string' } }, allowPositionals: true, strict: false })
const config = readConfig({ ...process.env, ASSAY_DATA: String(values.data) })
const system = await openSystem(config, openLogger('error', {}), { roles: ['api', 'jobs', 'events'], alone: true })
await ensureWorkspace(system.catalog.pipeline, workspace, 'Demo')
const app = await buildServer(serverPorts(system))
app.post('/api/workspace/:workspaceId/static', { config: { action: 'dashboards:read' } }, async (_request, reply) =>
  reply.type('application/json; charset=utf-8').send(process.env.BENCH_BYTES),
)
process.stdout.write(`listens on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
process.once(
  'SIGINT',
  () =>
    void app
      .close()
      .then(() => system.close())
      .then(() => process.exit(0)),
)
