/** Keeps each id that a workspace's own rules write to one product of the feed: the one that goes out under it stays, and others are refused until it is free. */
import type { PoolClient } from 'pg'
import { open, type RenderedLine } from './feed-lines.ts'

export interface FeedNames {
  /** What becomes of a product, row by row: of two that come to one id the one that has it goes out. */
  settle(product: string, made: RenderedLine): RenderedLine
  /** Once all are written: who waits for an id that nobody has any more is to be judged anew. @returns whether anybody does */
  free(): Promise<boolean>
}

const heldSql = `
  select product_id as product, name from feed_line
   where config_id = $1 and valid_to = ${open} and ok and name = any ($2)
   union
  select product_id, name from feed_line
   where config_id = $1 and valid_to = ${open} and ok and name is not null and product_id = any ($3::uuid[])`

/** Long ago: whoever reads at the same moment must find them due as well. */
const freeSql = `
  update feed_line set holds_until = 'epoch'
   where config_id = $1 and valid_to = ${open} and not ok and name = any ($2) and holds_until is distinct from 'epoch'`

/** @param field which attribute the ids are @param made of all rows that are about to be written */
export async function feedNames(
  tx: PoolClient,
  config: number,
  field: string,
  made: readonly { readonly product: string; readonly made: RenderedLine }[],
): Promise<FeedNames> {
  const { rows } = await tx.query<{ product: string; name: string }>(heldSql, [
    config,
    made.flatMap(({ made: { name } }) => name ?? []),
    made.map(({ product }) => product),
  ])
  const holders = new Map(rows.map(({ product, name }) => [name, product]))
  const held = new Map(rows.map(({ product, name }) => [product, name]))
  const freed = new Set<string>()

  function release(product: string): void {
    const name = held.get(product)
    if (name === undefined) return
    held.delete(product)
    holders.delete(name)
    freed.add(name)
  }
  return {
    settle(product, made) {
      const wanted = made.line === null ? undefined : made.name
      const holder = wanted === undefined ? undefined : holders.get(wanted)
      if (holder === product) return made
      release(product)
      if (wanted === undefined) return made
      if (holder !== undefined) return { ...made, line: null, problems: [twin(field, wanted, holder)] }
      holders.set(wanted, product)
      held.set(product, wanted)
      return made
    },
    async free() {
      const names = [...freed].filter((name) => !holders.has(name))
      return names.length > 0 && ((await tx.query(freeSql, [config, names])).rowCount ?? 0) > 0
    },
  }
}

/** Why a product is refused whose id another has. */
export const twin = (field: string, name: string, holder: string) => ({
  field,
  reason: `The profile’s rules give it the ${field} "${name.slice(0, 80)}", under which product ${holder} goes out already; make the rule name what tells them apart`,
})
