/** Writes what changed in a feed: lines that are new or other, the ends of those that stood, and marks of those that went. */
import type { PoolClient } from 'pg'
import type { FeedConfig } from './feed-configs.ts'
import { open, type Render, type RenderedLine, type StoredLine, writeLines } from './feed-lines.ts'
import { feedNames } from './feed-names.ts'
import type { PublishedRow } from './feed-queries.ts'

/** A product as it is from an edition on; without content it is gone. */
export interface ChangedRow {
  readonly id: string
  readonly from: number
  readonly content: PublishedRow['content'] | null
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

/**
 * Of several changes of one product each ends the one before it. What comes to the same as it stands is no change.
 * @returns whether products are to be judged anew that are none of these
 */
export async function writeChanges(
  tx: PoolClient,
  config: FeedConfig,
  rows: readonly ChangedRow[],
  render: Render,
  at: string,
): Promise<boolean> {
  if (rows.length === 0) return false
  const ids = [...new Set(rows.map(({ id }) => id))]
  const found = await tx.query<Standing>(standingSql, [config.id, ids])
  const stored = new Map(found.rows.map((one) => [one.product, one]))
  const standing = new Map<string, { ok: boolean; line: string | null; problems: string | null; at?: number }>(stored)
  const ends = new Map<string, number>()
  const holds = new Map<string, string | null>()
  const lines: StoredLine[] = []
  const all = rows.map((row) => ({
    ...{ product: row.id, from: row.from },
    made: row.content === null ? gone : render({ id: row.id, content: row.content }, at),
  }))
  const names = render.named === undefined ? null : await feedNames(tx, config.id, render.named, all)
  for (const { product: id, from, made: own } of all) {
    const before = standing.get(id)
    const made = names?.settle(id, own) ?? own
    const problems = made.problems === null ? null : JSON.stringify(made.problems)
    // Gone, or left out by the profile.
    const isOut = made.line === null && made.problems === null
    if (!before && isOut) continue
    if (before && isSame(before, made, isOut)) {
      // Only until when it holds may be another.
      if (before.at === undefined) holds.set(id, made.holdsUntil)
      else lines[before.at] = { ...(lines[before.at] as StoredLine), holdsUntil: made.holdsUntil }
      continue
    }
    if (before?.at !== undefined) lines[before.at] = { ...(lines[before.at] as StoredLine), to: from }
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
  await writeLines(tx, config, lines)
  return (await names?.free()) === true
}

const gone: RenderedLine = { line: null, problems: null, holdsUntil: null }

/** The database writes JSON its own way. */
function isSame(
  before: { readonly ok: boolean; readonly line: string | null; readonly problems: string | null },
  made: RenderedLine,
  isOut: boolean,
): boolean {
  if (before.ok !== (made.line !== null)) return false
  if (before.ok) return before.line === made.line
  if (before.problems === null || isOut) return (before.problems === null) === isOut
  return JSON.stringify(JSON.parse(before.problems)) === JSON.stringify(made.problems)
}

/** The first attribute of a line is the product's name in the feed. */
function nameOf(line: string): string {
  const [name] = Object.entries(JSON.parse(line) as Record<string, unknown>)
  return JSON.stringify(name ? { [name[0]]: name[1] } : {})
}
