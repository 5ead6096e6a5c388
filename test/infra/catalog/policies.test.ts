import { freshDatabase } from '../../harness.ts'
import { holdToPolicies } from './policies.ts'

await holdToPolicies(freshDatabase)
