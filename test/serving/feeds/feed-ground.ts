/** A catalog whose products a test says outright, its versions, and its feed for Google as readers get it. */
import { findFeedConfig } from '../../../infra/catalog/feed-configs.ts'
import { publishedPage } from '../../../infra/catalog/feed-queries.ts'
import { type Feeding, openFeeding } from '../../../infra/system/feeding.ts'
import { googleProfile } from '../../../schemas/feeds/google.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { type FeedReading, goingPages } from '../../../serving/feeds/feed-pages.ts'
import type { FeedPosition } from '../../../serving/feeds/feed-position.ts'
import { openLines } from '../../../serving/feeds/open-lines.ts'
import { lineRenderer } from '../../../serving/feeds/render-line.ts'
import { publishGround } from '../../infra/catalog/publish-ground.ts'
import { complete } from '../../schemas/feeds/complete-product.ts'

const plain = { linkTemplate: null, tracking: {}, options: {} }
const googleFeed = { platform: 'google', profileVersion: googleProfile.version, ...plain }

export function feedGround() {
  const ground = publishGround()
  let at = '2026-11-28T12:00:00.000Z'
  const feeding = (): Feeding => openFeeding(ground.catalog(), () => new Date(at))
  const within: FeedReading['within'] = (work) =>
    ground.catalog().withTenant({ workspaceId: 'ws_test', brandIds: '*' }, work)
  const copy: FeedReading['copy'] = (...of) =>
    ground.catalog().copyWithTenant({ workspaceId: 'ws_test', brandIds: '*' }, ...of)
  const config = async () => {
    const { rows } = await ground.sql('select brand_id as brand from catalog where catalog_id = $1')
    const place = { catalog: ground.catalogId(), workspace: 'ws_test', brand: rows[0].brand as string }
    return feeding().configFor(place, googleFeed, await ground.present())
  }
  async function reading(patience?: number): Promise<FeedReading> {
    const feeds = feeding()
    const of = await config()
    const open = await openLines(feeds, of, patience)
    if (!open) throw new Error('the lines are not kept')
    return { feeds, within, copy, config: of, profile: googleProfile, open, at }
  }
  return {
    ...ground,
    feeding,
    config,
    reading,
    within,
    find: (id: number) => findFeedConfig(ground.catalog().pipeline, id),
    setTime: (to: string) => {
      at = to
    },
    /** What there is, from the beginning or behind a position. */
    async read(from: FeedPosition | null = null): Promise<Record<string, unknown>[]> {
      let text = ''
      for await (const page of goingPages(await reading(), from, null).pages) text += page.bytes.toString()
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    },
    /** Products that Google would take, all with a title of their own. */
    async offers(n: number): Promise<string[]> {
      const ids = await ground.products(n)
      for (const id of ids) await this.put(id, { title: `Stool ${id}` })
      return ids
    },
    async put(id: string, change: Partial<RefinedProduct> = {}): Promise<void> {
      const refined = JSON.stringify({ ...complete, sku: id, ...change })
      await ground.sql(
        `update products set refined = $3::jsonb, sku = $3::jsonb ->> 'sku', content_hash = sha256($3::text::bytea), alive = true
          where catalog_id = $1 and product_id = $2`,
        [id, refined],
      )
      await ground.touch([id])
    },
    /** What the published version comes to, made anew: by product. */
    async expected(): Promise<Map<string, string>> {
      const render = lineRenderer(googleProfile, plain)
      const version = await ground.present()
      const rows = await within((tx) => publishedPage(tx, ground.catalogId(), version, null, 100_000))
      return new Map(
        rows.flatMap((row) => {
          const { line } = render(row, at)
          return line === null ? [] : [[row.id, line] as const]
        }),
      )
    },
  }
}
