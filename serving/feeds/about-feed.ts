/** What a feed says of itself before its items: whose it is, where it is read, of when it is, and its categories where the platform lists them. */
import type { PoolClient } from 'pg'
import { versionOf } from '../../infra/catalog/feed-edition.ts'
import { categoryPaths } from '../../infra/catalog/feed-queries.ts'
import type { FeedFormat } from '../../schemas/feeds/feed-formats.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import type { AboutFeed } from './forms/feed-form.ts'

export interface Described {
  readonly title: string
  readonly link: string
  readonly profile: Pick<FeedProfile, 'xml'>
  readonly catalog: string
  readonly edition: number
  readonly at: Date | null
}

/** All but the categories, which are those of the edition. */
export const briefly = ({ title, link, at }: Described): AboutFeed => ({
  ...{ title, link },
  ...(at ? { at: at.toISOString() } : {}),
})

export async function aboutFeed(
  described: Described,
  form: FeedFormat,
  within: <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>,
): Promise<AboutFeed> {
  const { profile, catalog, edition } = described
  const said = briefly(described)
  if (form !== 'xml' || !profile.xml.head.includes('{categories}')) return said
  return { ...said, categories: await within((tx) => categoryPaths(tx, catalog, versionOf(edition))) }
}
