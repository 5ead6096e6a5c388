/** A process for `jobs.test.ts` to kill: takes up an import, says so, and never ends it. */
import { openJobs } from '../../infra/jobs.ts'

await openJobs(process.argv[2] ?? '', {
  import: async (jobId) => {
    process.stdout.write(`${jobId}\n`)
    await new Promise(() => {})
  },
})
