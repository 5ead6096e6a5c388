/** Rows of stored lines, and what a product comes to in them. */
import type { PoolClient } from 'pg'
import type { FeedProblem } from '../../schemas/feeds/profile.ts'
import { type CopyColumn, copyRows } from './copy.ts'
import type { FeedConfig } from './feed-configs.ts'
import type { PublishedRow } from './feed-queries.ts'

/** What a product comes to in a feed. */
export interface RenderedLine {
  /** JSON text; null where the platform refuses the product. */
  readonly line: string | null
  /** null where there are none. */
  readonly problems: readonly FeedProblem[] | null
  /** ISO 8601: at that moment it must be judged again. */
  readonly holdsUntil: string | null
  /** Under which id, where rules of a workspace's own write it: another product may come to the same. */
  readonly name?: string
}

export interface Render {
  /** @param at when it is judged, ISO 8601 */
  (row: PublishedRow, at: string): RenderedLine
  /** The attribute that is the id, where rules of a workspace's own write it. */
  readonly named?: string | undefined
}

/** What `valid_to` is while a line stands. */
export const open = '9223372036854775807'
const endless = BigInt(open)

export interface StoredLine extends RenderedLine {
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
  { name: 'name', type: 'text' },
]

function* rowsOf({ id, workspace, brand }: FeedConfig, lines: readonly StoredLine[]) {
  for (const { product, from, to, tells, line, problems, holdsUntil, name } of lines) {
    const ok = line !== null && tells !== -1
    const until = holdsUntil === null ? null : Date.parse(holdsUntil)
    yield [id, product, from, to ?? endless, workspace, brand, ok, tells, until, problems, line, name ?? null]
  }
}

export async function writeLines(tx: PoolClient, config: FeedConfig, lines: readonly StoredLine[]): Promise<void> {
  await copyRows(tx, 'feed_line', columns, rowsOf(config, lines))
}
