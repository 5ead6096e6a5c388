import { expect, test } from 'vitest'
import { jobSummary } from '../../schemas/job-summary.ts'

test.each([
  [{ importId: 'x', read: 5, created: 4, updated: 0, rejected: 1 }, '4 created, 1 rejected.'],
  [{ version: 3, added: 1, modified: 0, removed: 2, changeCount: 3 }, 'Version 3: 1 added, 2 removed.'],
  [{ version: 4, added: 0, modified: 0, removed: 0 }, 'Version 4: no change.'],
  [{ catalogId: 'x', returned: 7 }, '7 brought back.'],
  [{}, 'Done.'],
  [null, 'Done.'],
  ['text', 'Done.'],
])('%j is said as: %s', (result, says) => expect(jobSummary(result)).toBe(says))
