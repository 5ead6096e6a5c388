/** Seals anew, under the present key, what stands under a former one, and says what no key of this process opens. */
import type { Pool } from 'pg'
import { countTargetsByKey, resealTarget, targetsUnder } from '../catalog/feed-targets.ts'
import { countByKey, replaceSealed, secretsUnder } from '../catalog/webhook-secrets.ts'
import type { Sealed, Sealing } from '../seal.ts'

const pageRows = 500

interface SealedRow extends Sealed {
  readonly id: string
  /** Of a secret that belongs to something else: what it is sealed for. */
  readonly webhook?: string
}

interface Secrets {
  readonly what: string
  under(pool: Pool, keys: readonly string[], after: string | null, limit: number): Promise<SealedRow[]>
  replace(pool: Pool, row: SealedRow, to: Sealed): Promise<void>
  count(pool: Pool): Promise<{ keyId: string; secrets: number }[]>
}

const everything: readonly Secrets[] = [
  { what: 'signing secrets of webhooks', under: secretsUnder, replace: replaceSealed, count: countByKey },
  { what: 'secrets of feed targets', under: targetsUnder, replace: resealTarget, count: countTargetsByKey },
]

export async function sealAnew(pool: Pool, sealing: Sealing, onError: (error: unknown) => void): Promise<void> {
  for (const secrets of everything) await sealKind(secrets, pool, sealing, onError)
}

async function sealKind(of: Secrets, pool: Pool, sealing: Sealing, onError: (error: unknown) => void): Promise<void> {
  const { keyId, formerIds } = sealing
  let after: string | null = null
  do {
    const page: SealedRow[] = await of.under(pool, formerIds, after, pageRows)
    for (const one of page)
      try {
        const owner = one.webhook ?? one.id
        await of.replace(pool, one, sealing.seal(sealing.open(one, owner), owner))
      } catch (error) {
        onError(error)
      }
    after = page.length < pageRows ? null : (page.at(-1)?.id ?? null)
  } while (after !== null)
  const known = [keyId, ...formerIds]
  for (const { keyId: id, secrets } of await of.count(pool))
    if (!known.includes(id))
      onError(
        new Error(
          `${secrets} ${of.what} are sealed under the key ${id}, which this process does not have: name it in ASSAY_SECRET_KEY or ASSAY_FORMER_SECRET_KEYS`,
        ),
      )
}
