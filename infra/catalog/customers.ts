/** The names under which events know customers: a hash with a salt of each one's own, so that to erase the salt is to erase the person. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Pool } from 'pg'

const lookupOf = (key: Buffer, workspace: string, customer: string) =>
  createHmac('sha256', key).update(`${workspace}\n${customer}`).digest()
const nameOf = (salt: Buffer, customer: string) =>
  createHmac('sha256', salt).update(customer).digest('hex').slice(0, 32)

/**
 * @param key the secret `customers`
 * @returns by customer, the name
 */
export async function customerNames(
  pool: Pool,
  key: Buffer,
  workspace: string,
  customers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (customers.length === 0) return new Map()
  const lookups = customers.map((customer) => lookupOf(key, workspace, customer))
  // In order, so that two that bring the same customers do not wait for one another.
  const sorted = [...new Map(lookups.map((lookup) => [lookup.toString('hex'), lookup])).values()].sort(Buffer.compare)
  await pool.query(
    `insert into customer_salt (workspace_id, lookup, salt) select $1, * from unnest($2::bytea[], $3::bytea[])
     on conflict do nothing`,
    [workspace, sorted, sorted.map(() => randomBytes(32))],
  )
  const { rows } = await pool.query<{ lookup: Buffer; salt: Buffer }>(
    'select lookup, salt from customer_salt where workspace_id = $1 and lookup = any ($2::bytea[])',
    [workspace, sorted],
  )
  const salts = new Map(rows.map(({ lookup, salt }) => [lookup.toString('hex'), salt]))
  return new Map(
    customers.flatMap((customer, i) => {
      const salt = salts.get(lookups[i]?.toString('hex') ?? '')
      // Erased between the two: it is nobody's name.
      return salt ? [[customer, nameOf(salt, customer)] as const] : []
    }),
  )
}

/** @returns whether there was such a customer */
export async function eraseCustomer(pool: Pool, key: Buffer, workspace: string, customer: string): Promise<boolean> {
  const { rowCount } = await pool.query('delete from customer_salt where workspace_id = $1 and lookup = $2', [
    ...[workspace, lookupOf(key, workspace, customer)],
  ])
  return rowCount === 1
}
