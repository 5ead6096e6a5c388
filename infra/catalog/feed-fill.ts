/** Makes the lines of a feed, step by step: the first ones of one version, then those that versions changed, then those whose judgement ran out. */
import type { Pool, PoolClient } from 'pg'
import type { FeedProblem } from '../../schemas/feeds/profile.ts'
import { type CopyColumn, copyRows } from './copy.ts'
import type { FeedConfig } from './feed-configs.ts'
import { editionOf, versionOf } from './feed-edition.ts'
import type { PublishedRow } from './feed-queries.ts'
import { inTransaction } from './in-transaction.ts'

/** What a product comes to in a feed. */
export interface RenderedLine {
  /** JSON text; null where the platform refuses the product. */
  readonly line: string | null
  /** null where there are none. */
  readonly problems: readonly FeedProblem[] | null
  /** ISO 8601: at that moment it must be judged again. */
  readonly holdsUntil: string | null
}

/** @param at when it is judged, ISO 8601 */
export type Render = (row: PublishedRow, at: string) => RenderedLine

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

const open = '9223372036854775807'
const endless = BigInt(open)
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

interface Line extends RenderedLine {
  readonly product: string
  readonly from: number
  /** null while it stands. */
  readonly to: number | null
  readonly tells: -1 | 0 | 1
}

const columns: readonly CopyColumn[] = [
  { name: 'config_id', type: 'int4' },
  { name: 'product_id', type: 'uuid' },
  { name: 'valid_from', type: 'int8' },
  { name: 'valid_to', type: 'int8' },
  { name: 'workspace_id', type: 'text' },
  { name: 'brand_id', type: 'uuid' },
  { name: 'ok', type: 'bool' },
  { name: 'tells', type: 'int2' },
  { name: 'holds_until', type: 'timestamptz' },
  { name: 'problems', type: 'jsonb' },
  { name: 'line', type: 'text' },
]

function* rowsOf({ id, workspace, brand }: FeedConfig, lines: readonly Line[]) {
  for (const { product, from, to, tells, line, problems, holdsUntil } of lines) {
    const ok = line !== null && tells !== -1
    const until = holdsUntil === null ? null : Date.parse(holdsUntil)
    yield [id, product, from, to ?? endless, workspace, brand, ok, tells, until, problems, line]
  }
}

const changedPageSql = `
  select product_id as id, valid_from as "from", content from published
   where catalog_id = $1 and (valid_from, product_id) > ($2, $3) and valid_from <= $4 order by valid_from, product_id limit ${fillRows}`

const firstPageSql = `
  select product_id as id, valid_from as "from", content from published
   where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null and ($3::uuid is null or product_id > $3)
   order by product_id limit $4`

type Row = Omit<PublishedRow, 'content'> & { readonly from: number; readonly content: PublishedRow['content'] | null }

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
  const lines = rows.map((row): Line => {
    return { product: row.id, from: editionOf(row.from), to: null, tells: 0, ...render(row, at) }
  })
  await copyRows(tx, 'feed_line', columns, rowsOf(config, lines))
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
  const { rows } = await tx.query<Row>(changedPageSql, values)
  await writeChanges(
    tx,
    config,
    rows.map((row) => ({ ...row, from: editionOf(row.from) })),
    render,
    at,
  )
  const ended = rows.length < fillRows
  const end = rows.at(-1)
  return moveTo(tx, config, state, {
    edition: ended ? editionOf(publishedVersion) : state.edition,
    version: ended ? publishedVersion : (end?.from ?? state.version),
    product: ended ? last : (end?.id ?? last),
  })
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
  const { rows } = await tx.query<Row>(duePageSql, [config.id, at, next, config.catalog, state.publishedVersion])
  await writeChanges(tx, config, rows, render, at)
  const edition = rows.length < fillRows ? next : state.edition
  const due = rows.length === fillRows
  return moveTo(tx, config, { ...state, due }, { edition, version: state.version, product: state.product })
}

interface Standing {
  readonly product: string
  readonly from: number
  readonly ok: boolean
  readonly line: string | null
  readonly problems: string | null
  readonly holdsUntil: Date | null
}

const standingSql = `
  select l.* from unnest($2::uuid[]) as i (id)
   cross join lateral (
     select product_id as product, valid_from as "from", ok, line, problems::text as problems, holds_until as "holdsUntil" from feed_line
      where config_id = $1 and product_id = i.id and valid_to = ${open} limit 1) l`

/** Of several changes of one product each ends the one before it. What comes to the same as it stands is no change. */
async function writeChanges(
  tx: PoolClient,
  config: FeedConfig,
  rows: readonly Row[],
  render: Render,
  at: string,
): Promise<void> {
  if (rows.length === 0) return
  const ids = [...new Set(rows.map(({ id }) => id))]
  const found = await tx.query<Standing>(standingSql, [config.id, ids])
  const stored = new Map(found.rows.map((one) => [one.product, one]))
  const standing = new Map<string, { ok: boolean; line: string | null; problems: string | null; at?: number }>(stored)
  const ends = new Map<string, number>()
  const holds = new Map<string, string | null>()
  const lines: Line[] = []
  for (const { id, from, content } of rows) {
    const before = standing.get(id)
    const made = content === null ? gone : render({ id, content }, at)
    const problems = made.problems === null ? null : JSON.stringify(made.problems)
    if (!before && content === null) continue
    if (before && isSame(before, made, content === null)) {
      // Only until when it holds may be another.
      if (before.at === undefined) holds.set(id, made.holdsUntil)
      else lines[before.at] = { ...(lines[before.at] as Line), holdsUntil: made.holdsUntil }
      continue
    }
    if (before?.at !== undefined) lines[before.at] = { ...(lines[before.at] as Line), to: from }
    else if (before) ends.set(id, from)
    const tells = made.line !== null ? 1 : before?.ok ? -1 : 0
    const line = tells === -1 ? nameOf(before?.line ?? '{}') : made.line
    standing.set(id, { ok: made.line !== null, line: made.line, problems, at: lines.length })
    lines.push({ ...made, line, product: id, from, to: null, tells })
  }
  const values = [config.id, [...ends.keys()], [...ends.values()]]
  // A round of judging that broke off, and is gone on with later, may meet lines of its own.
  await tx.query(
    `delete from feed_line l using unnest($2::uuid[], $3::bigint[]) as u (id, edition)
      where l.config_id = $1 and l.product_id = u.id and l.valid_from = u.edition`,
    values,
  )
  await tx.query(
    `update feed_line l set valid_to = u.edition from unnest($2::uuid[], $3::bigint[]) as u (id, edition)
      where l.config_id = $1 and l.product_id = u.id and l.valid_to = ${open} `,
    values,
  )
  const again = [...holds].filter(([id]) => !ends.has(id))
  await tx.query(
    `update feed_line l set holds_until = u.until from unnest($2::uuid[], $3::timestamptz[]) as u (id, until)
      where l.config_id = $1 and l.product_id = u.id and l.valid_to = ${open} and l.holds_until is distinct from u.until`,
    [config.id, again.map(([id]) => id), again.map(([, until]) => until)],
  )
  await copyRows(tx, 'feed_line', columns, rowsOf(config, lines))
}

const gone: RenderedLine = { line: null, problems: null, holdsUntil: null }

/** The database writes JSON its own way. */
function isSame(
  before: { readonly ok: boolean; readonly line: string | null; readonly problems: string | null },
  made: RenderedLine,
  isGone: boolean,
): boolean {
  if (before.ok !== (made.line !== null)) return false
  if (before.ok) return before.line === made.line
  if (before.problems === null || isGone) return (before.problems === null) === isGone
  return JSON.stringify(JSON.parse(before.problems)) === JSON.stringify(made.problems)
}

/** The first attribute of a line is the product's name in the feed. */
function nameOf(line: string): string {
  const [name] = Object.entries(JSON.parse(line) as Record<string, unknown>)
  return JSON.stringify(name ? { [name[0]]: name[1] } : {})
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
