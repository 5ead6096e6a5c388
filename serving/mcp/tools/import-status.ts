/** import_status: how far a job is, and what came of it. */
import { z } from 'zod'
import { findJob } from '../../../infra/catalog/job-table.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { jobId } from '../../../schemas/ids.ts'
import { jobStatuses } from '../../../schemas/job.ts'
import { toJobResource } from '../../job-resource.ts'
import { principalOf } from '../../plugins/access.ts'
import { defineTool } from '../tool.ts'

export const importStatus = defineTool({
  name: 'import_status',
  title: 'Follow an import',
  description: 'Progress and result of an import, or of any other job, by its job id.',
  category: 'catalog',
  needs: null,
  input: z.strictObject({ job_id: jobId }),
  output: z.object({
    job_id: z.string(),
    kind: z.string(),
    status: z.enum(jobStatuses),
    progress: z.unknown(),
    eta: z.string().nullable(),
    result: z.unknown(),
    error: z.unknown(),
  }),
  async run({ job_id }, { bearer, ports, tell }) {
    const row = await ports.catalog.withTenant(principalOf(bearer), (tx) => findJob(tx, job_id))
    if (!row) throw new ServiceError('MCP_002', { message: 'There is no such job among yours', field: 'job_id' })
    if (row.catalog !== null) tell({ catalog: row.catalog })
    const { id, kind, status, progress, eta, result, error } = toJobResource(row, ports.now())
    return { job_id: id, kind, status, progress, eta, result, error }
  },
})
