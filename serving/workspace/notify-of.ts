/** Where the end of a job is told by mail: the member's address, else the one that the token vouches for. */
import type { Notify } from '../../infra/catalog/job-table.ts'
import { findMember } from '../../infra/catalog/members.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { mailAddress } from '../../schemas/mail-address.ts'
import type { Bearer } from '../access/principal.ts'
import { principalOf } from '../plugins/access.ts'

/** @returns null where none was asked for; without an address the job's answer says so, and the job runs all the same */
export async function notifyOf(
  catalog: Pick<Catalog, 'withTenant'>,
  bearer: Bearer,
  wanted: boolean | undefined,
): Promise<Notify | null> {
  if (!wanted) return null
  const member = await catalog.withTenant(principalOf(bearer), (tx) => findMember(tx, bearer.subject))
  const found = mailAddress.safeParse(member?.email ?? bearer.email)
  return { to: found.success ? found.data : null }
}
