import { vi } from 'vitest'
import type * as Harness from '../../harness.ts'

// The very tests that hold a migrated database to its policies, over one that was restored.
vi.mock('../../harness.ts', async (original) => {
  const harness = await original<typeof Harness>()
  const { openGround } = await import('./restored.ts')
  const freshDatabase = async () => {
    const ground = await openGround()
    const source = await harness.freshDatabase()
    const { database } = await ground.restore(await ground.backup(source.url, ground.folder))
    await source.drop()
    return { url: database.url, drop: () => ground.clear() }
  }
  return { ...harness, freshDatabase }
})

await import('../catalog/policies.test.ts')
