/** Every product of a catalog compared with the log, by the verification that users have. */
import { hash } from 'node:crypto'
import { openVerifier, type Verified } from '../infra/system/verifier.ts'
import type { System } from '../infra/system.ts'

const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32)

/** @returns what differs, and how many products were compared in all */
export async function differences(
  { catalog, log }: Pick<System, 'catalog' | 'log'>,
  of: string,
): Promise<{ compared: number; stale: number; differing: { id: string; verdict: Verified['verdict'] }[] }> {
  const { rows } = await catalog.pipeline.query<{ id: string }>(
    'select product_id as id from products where catalog_id = $1',
    [of],
  )
  const verified: Verified[] = []
  await openVerifier({ catalog, log, digest }).verify(
    of,
    rows.map(({ id }) => id),
    async (some) => {
      verified.push(...some)
    },
  )
  return {
    compared: verified.length,
    stale: verified.filter(({ verdict }) => verdict === 'stale').length,
    differing: verified.flatMap(({ row, verdict }) => (typeof verdict === 'string' ? [] : [{ id: row.id, verdict }])),
  }
}
