import { freshDatabase } from '../../harness.ts'
import { holdToPolicies } from '../catalog/policies.ts'
import { openGround } from './restored.ts'

// The very tests that hold a migrated database to its policies, over one that was restored.
await holdToPolicies(async () => {
  const ground = await openGround()
  const source = await freshDatabase()
  const { database } = await ground.restore(await ground.backup(source.url, ground.folder))
  await source.drop()
  return { url: database.url, drop: () => ground.clear() }
})
