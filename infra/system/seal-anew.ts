/** Seals anew, under the present key, what stands under a former one, and says what no key of this process opens. */
import type { Pool } from 'pg'
import { countByKey, replaceSealed, secretsUnder } from '../catalog/webhook-secrets.ts'
import type { Sealing } from '../seal.ts'

const pageRows = 500

export async function sealAnew(pool: Pool, sealing: Sealing, onError: (error: unknown) => void): Promise<void> {
  const { keyId, formerIds } = sealing
  let after: string | null = null
  do {
    const page = await secretsUnder(pool, formerIds, after, pageRows)
    for (const one of page)
      try {
        await replaceSealed(pool, one, sealing.seal(sealing.open(one, one.webhook), one.webhook))
      } catch (error) {
        onError(error)
      }
    after = page.length < pageRows ? null : (page.at(-1)?.id ?? null)
  } while (after !== null)
  const known = [keyId, ...formerIds]
  for (const { keyId: id, secrets } of await countByKey(pool))
    if (!known.includes(id))
      onError(
        new Error(
          `${secrets} signing secrets of webhooks are sealed under the key ${id}, which this process does not have: name it in ASSAY_SECRET_KEY or ASSAY_FORMER_SECRET_KEYS`,
        ),
      )
}
