/** Makes, lists and measures workspaces for who is not yet a principal of them. */
import { randomInt } from 'node:crypto'
import { ServiceError } from '../../schemas/errors.ts'
import { plans, workspacesPerPerson } from '../../schemas/plan.ts'
import type { WorkspacePorts } from '../../serving/workspace/workspaces.ts'
import { insertAudit } from '../catalog/audit.ts'
import { insertMember } from '../catalog/members.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { insertWorkspace } from '../catalog/tenants.ts'
import {
  countOwned,
  countUsage,
  countWorkspaceProducts,
  findWorkspace,
  listWorkspacesOf,
} from '../catalog/workspaces.ts'
import { productRoom } from './product-room.ts'

/** How old a count of products may be. */
const countMs = 10_000

const letters = '0123456789abcdefghijklmnopqrstuvwxyz'
/** 83 bits: nobody comes upon one. */
const newId = () => `ws_${Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')}`

export function workspacePorts({ pipeline, inTransaction }: Catalog) {
  const room = productRoom(countMs, Date.now, async (id) => {
    const row = await findWorkspace(pipeline, id)
    return row && { products: await countWorkspaceProducts(pipeline, id), limit: plans[row.plan].products }
  })
  const workspaces: WorkspacePorts['workspaces'] = {
    create: (name, { subject }, requestId) =>
      inTransaction(pipeline, async (tx) => {
        if ((await countOwned(tx, subject)) >= workspacesPerPerson)
          throw new ServiceError('PLAN_LIMIT', { message: `One person may have ${workspacesPerPerson} workspaces` })
        const id = newId()
        const owner = { role: 'owner', allBrands: true, brandIds: [] } as const
        await insertWorkspace(tx, { id, name, plan: 'free', by: subject })
        await insertMember(tx, { ...owner, workspace: id, subject, email: null, name: null, by: subject })
        const change = { action: 'workspace.create', target: id, before: null, after: { name, owner: subject } }
        await insertAudit(tx, { workspace: id, brand: null, subject, requestId, ...change })
        const row = await findWorkspace(tx, id)
        if (!row) throw new Error('the workspace was not made')
        return row
      }),
    of: ({ subject, local }, after, limit) =>
      listWorkspacesOf(pipeline, { subject, own: local?.workspace ?? null }, after, limit),
    used: async (id) => {
      const [counted, products] = await Promise.all([countUsage(pipeline, id), room.used(id)])
      // Nothing is spent on models yet.
      return { ...counted, products, aiSpendCents: 0 }
    },
  }
  return { workspaces, room }
}
