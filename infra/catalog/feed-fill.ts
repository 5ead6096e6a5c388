/** Makes the lines of a feed, step by step: the first ones of one version, then those that versions changed, then those whose judgement ran out. */
import type { Pool, PoolClient } from 'pg'
import { type ChangedRow, writeChanges } from './feed-changes.ts'
import type { FeedConfig } from './feed-configs.ts'
import { editionOf, versionOf } from './feed-edition.ts'
import { open, type Render, type StoredLine, writeLines } from './feed-lines.ts'
import { feedNames } from './feed-names.ts'
import type { PublishedRow } from './feed-queries.ts'
import { inTransaction } from './in-transaction.ts'

export interface FillState {
  /** The version of which the first lines are. */
  readonly base: number
  /** What readers see; null until the first lines are all made. */
  readonly edition: number | null
  readonly editionAt: Date | null
  readonly version: number
  /** How far the first lines have come, or the changes since. */
  readonly product: string | null
  readonly publishedVersion: number
  readonly publishedAt: Date | null
  /** Judgements that have run out. */
  readonly due: boolean
  /** The versions that it would have to go on from are not kept any more. */
  readonly lost: boolean
}

/** Of a step: what is computed in one go keeps the process from all else. */
const fillRows = 1_000
/** Of the very first, whose reader waits. */
const firstRows = 200

const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const stateSql = `
  select f.base, f.edition, f.edition_at as "editionAt", f.version, f.product_id as product, c.published_version as "publishedVersion",
         (select p.published_at from publish p where p.catalog_id = c.catalog_id and p.version = c.published_version) as "publishedAt",
         exists (select from feed_line l where l.config_id = $1 and l.valid_to = ${open} and l.holds_until <= $2) as due,
         f.version < c.published_version
           and exists (select from publish p where p.catalog_id = c.catalog_id and p.version = f.version and p.state = 'dropped') as lost
    from feed_fill f join feed_config g on g.config_id = f.config_id join catalog c on c.catalog_id = g.catalog_id
   where f.config_id = $1 and g.retired_at is null`

/** @returns null where the configuration is retired */
export async function fillState(pool: Pool, config: number, at: string): Promise<FillState | null> {
  return (await pool.query<FillState>(stateSql, [config, at])).rows[0] ?? null
}

/** Whether readers of the present version see all that it has. */
export const isFilled = (state: FillState): state is FillState & { readonly edition: number } =>
  state.edition !== null && versionOf(state.edition) === state.publishedVersion && !state.due

/**
 * Whoever comes first makes the next lines; who comes at the same time waits, and goes on behind them.
 * @returns the state after it; null where the configuration is retired
 */
export async function fillStep(pool: Pool, config: FeedConfig, render: Render, at: string): Promise<FillState | null> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<FillState>(`${stateSql} for update of f`, [config.id, at])
    const [state] = rows
    if (!state || isFilled(state)) return state ?? null
    if (state.lost) {
      await tx.query('update feed_config set retired_at = now() where config_id = $1', [config.id])
      return null
    }
    await tx.query('set local enable_seqscan = off; set local enable_bitmapscan = off')
    if (state.edition === null) return firstLines(tx, config, state, render, at)
    if (versionOf(state.edition) < state.publishedVersion) return changedLines(tx, config, state, render, at)
    return judgedAnew(tx, config, { ...state, edition: state.edition }, render, at)
  })
}

const changedPageSql = `
  select product_id as id, valid_from as "from", content from published
   where catalog_id = $1 and (valid_from, product_id) > ($2, $3) and valid_from <= $4 order by valid_from, product_id limit ${fillRows}`

const firstPageSql = `
  select product_id as id, valid_from as "from", content from published
   where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
   order by product_id limit $4`

async function firstLines(
  tx: PoolClient,
  config: FeedConfig,
  state: FillState,
  render: Render,
  at: string,
): Promise<FillState> {
  const limit = state.product === null ? firstRows : fillRows
  const values = [config.catalog, state.base, state.product, limit]
  const { rows } = await tx.query<PublishedRow & { from: number }>(firstPageSql, values)
  const all = rows.map((row) => ({ product: row.id, from: row.from, made: render(row, at) }))
  const names = render.named === undefined ? null : await feedNames(tx, config.id, render.named, all)
  const lines = all.flatMap(({ product, from, made: own }): StoredLine[] => {
    const made = names?.settle(product, own) ?? own
    // What the profile leaves out has no row, as if it were not there.
    if (made.line === null && made.problems === null) return []
    return [{ product, from: editionOf(from), to: null, tells: 0, ...made }]
  })
  await writeLines(tx, config, lines)
  const ended = rows.length < limit
  return moveTo(tx, config, state, {
    edition: ended ? editionOf(state.base) : null,
    version: state.base,
    product: ended ? last : (rows.at(-1)?.id ?? null),
  })
}

async function changedLines(
  tx: PoolClient,
  config: FeedConfig,
  state: FillState,
  render: Render,
  at: string,
): Promise<FillState> {
  const { publishedVersion } = state
  const values = [config.catalog, state.version, state.product ?? last, publishedVersion]
  const { rows } = await tx.query<ChangedRow>(changedPageSql, values)
  const freed = await writeChanges(
    tx,
    config,
    rows.map((row) => ({ ...row, from: editionOf(row.from) })),
    render,
    at,
  )
  const ended = rows.length < fillRows
  const end = rows.at(-1)
  return moveTo(
    tx,
    config,
    { ...state, due: state.due || freed },
    {
      edition: ended ? editionOf(publishedVersion) : state.edition,
      version: ended ? publishedVersion : (end?.from ?? state.version),
      product: ended ? last : (end?.id ?? last),
    },
  )
}

const duePageSql = `
  select l.product_id as id, $3::bigint as "from", p.content
    from (select product_id from feed_line where config_id = $1 and valid_to = ${open} and holds_until <= $2
           order by holds_until limit ${fillRows}) l
    left join lateral (
      select content from published where catalog_id = $4 and product_id = l.product_id and valid_from <= $5 and valid_to > $5 limit 1) p on true`

async function judgedAnew(
  tx: PoolClient,
  config: FeedConfig,
  state: FillState & { readonly edition: number },
  render: Render,
  at: string,
): Promise<FillState> {
  const next = state.edition + 1
  const { rows } = await tx.query<ChangedRow>(duePageSql, [config.id, at, next, config.catalog, state.publishedVersion])
  const freed = await writeChanges(tx, config, rows, render, at)
  const edition = rows.length < fillRows ? next : state.edition
  const due = rows.length === fillRows || freed
  return moveTo(tx, config, { ...state, due }, { edition, version: state.version, product: state.product })
}

async function moveTo(
  tx: PoolClient,
  { id }: FeedConfig,
  state: FillState,
  to: Pick<FillState, 'edition' | 'version' | 'product'>,
): Promise<FillState> {
  const { rows } = await tx.query<{ at: Date | null }>(
    `update feed_fill set edition_at = case when $2::bigint is distinct from edition then now() else edition_at end, edition = $2, version = $3, product_id = $4
      where config_id = $1 returning edition_at as at`,
    [id, to.edition, to.version, to.product],
  )
  return { ...state, ...to, editionAt: rows[0]?.at ?? null }
}
