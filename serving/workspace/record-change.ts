/** Writes a change into the audit log, in the change's own transaction. */
import type { FastifyRequest } from 'fastify'
import type { PoolClient } from 'pg'
import { type AuditEntry, insertAudit } from '../../infra/catalog/audit.ts'
import { bearerOf } from '../plugins/access.ts'

type Change = Pick<AuditEntry, 'brand' | 'action' | 'target' | 'before' | 'after'>

export function recordChange(tx: PoolClient, request: FastifyRequest, change: Change): Promise<void> {
  const { workspace, subject } = bearerOf(request)
  return insertAudit(tx, { workspace, subject, requestId: request.id, ...change })
}
