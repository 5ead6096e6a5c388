/** What roles in processes of their own may do beside an Assay that keeps its Postgres itself. */
import { describe, expect, test } from 'vitest'
import { type AssayFolder, type AssayProcess, demo } from '../../faults/assay-process.ts'
import { roleProcess } from '../../faults/role-process.ts'

/** Nothing asks it: there are no events. */
const noStore = 'http://127.0.0.1:9'

export function besideEmbedded(running: () => { readonly ground: AssayFolder; readonly assay: AssayProcess }): void {
  describe('beside an embedded Postgres', () => {
    test('a process with some of the roles is refused in one sentence, and starts nothing', async () => {
      const { ground } = running()
      expect(await ground.run(['serve', '--roles', 'api,jobs'])).toEqual({
        code: 1,
        out: '',
        err: 'The embedded Postgres belongs to one process with every role (api, transforms, events, jobs); to run some apart, give each DATABASE_URL.\n',
      })
    })

    test('a process that would part the embedded event store from who asks it is refused in one sentence', async () => {
      const { ground } = running()
      const env = { DATABASE_URL: await ground.databaseUrl() }
      expect(await ground.run(['serve', '--port', '0', '--roles', 'api,jobs,transforms'], env)).toEqual({
        code: 1,
        out: '',
        err: 'The embedded event store belongs to one process with the roles api, events and jobs; to run them apart, give each CLICKHOUSE_URL.\n',
      })
    })

    test('another API or another for jobs may not join it by its address', async () => {
      const { ground } = running()
      const env = { DATABASE_URL: await ground.databaseUrl(), CLICKHOUSE_URL: noStore }
      for (const role of ['api', 'jobs'])
        expect(await ground.run(['serve', '--port', '0', '--roles', role], env)).toEqual({
          code: 1,
          out: '',
          err: 'This Postgres is the embedded one of an Assay that has every role; only transforms may join it.\n',
        })
    })

    test('another that transforms may join it, and takes its share', async () => {
      const { ground, assay } = running()
      const joined = await roleProcess('transforms', {
        DATABASE_URL: await ground.databaseUrl(),
        ASSAY_DATA: ground.folder,
      })
      const { status } = await assay.call('POST', `/api/workspace/${demo}/catalogs`, { name: 'joined' })
      expect(status).toBe(201)
      joined.signal('SIGTERM')
      expect(await joined.ended).toBe(0)
    })
  })
}
