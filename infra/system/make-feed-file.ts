/** Writes the draft of a feed's file: of what is published now, made with what the brand has set for the platform. */
import type { Pool } from 'pg'
import type { WriteColumns } from '../../serving/feeds/columnar-body.ts'
import { findProfile } from '../../serving/feeds/find-profile.ts'
import { madeWith } from '../../serving/feeds/made-with.ts'
import type { FeedConfig } from '../catalog/feed-configs.ts'
import { type Distribution, listDistributions } from '../catalog/feed-distributions.ts'
import type { FeedFile } from '../catalog/feed-files.ts'
import { isFilled } from '../catalog/feed-fill.ts'
import { type JobRow, jobProgress } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { CatalogRow } from '../catalog/tenants.ts'
import { feedAddress } from './feed-address.ts'
import type { FeedFileStore } from './feed-file-store.ts'
import type { GenerationInput } from './feed-schedule.ts'
import type { Feeding } from './feeding.ts'
import type { OwnAddress } from './own-address.ts'
import { writeFeedFile } from './write-feed-file.ts'

/** What is known of a file before anybody has judged it. */
export type MadeFile = Omit<FeedFile, 'state' | 'guard' | 'madeAt' | 'decidedAt' | 'decidedBy'>

export interface MakingParts {
  readonly catalog: Catalog
  readonly feeding: Pick<Feeding, 'configFor' | 'state' | 'step'>
  readonly write: WriteColumns
  readonly config: OwnAddress
}

interface MakingOrder {
  readonly job: JobRow
  /** Of the file. */
  readonly id: string
  readonly row: CatalogRow
}

/** There is nothing to make a file of: in a sentence for who asked. */
export class NoFeed extends Error {
  readonly code: string

  constructor(code: string, says: string) {
    super(says)
    this.code = code
  }
}

const progressEveryMs = 500

/** Its lines are made first, as for whoever reads it. @returns null where they are no longer kept */
async function filled(feeding: MakingParts['feeding'], of: FeedConfig, signal: AbortSignal) {
  let state = await feeding.state(of)
  while (state && !isFilled(state)) {
    signal.throwIfAborted()
    state = await feeding.step(of)
  }
  return state
}

/** @throws NoFeed */
export async function makeFeedFile(
  { catalog, feeding, store, write, config }: MakingParts & { store: Pick<FeedFileStore, 'draft'> },
  { job, id, row }: MakingOrder,
  signal: AbortSignal,
): Promise<MadeFile> {
  const pool = catalog.pipeline
  const { platform } = job.input as unknown as GenerationInput
  const configured = await catalog.inTransaction(pool, (tx) => listDistributions(tx, job.brand))
  const { profile, settings, own } = await feedOf(pool, job.workspace, platform, configured)
  if (row.publishedVersion === 0) throw new NoFeed('FEED_002', 'No published catalog; publish it first')
  const place = { catalog: row.id, workspace: job.workspace, brand: job.brand }
  for (;;) {
    const of = await feeding.configFor(place, settings, row.publishedVersion)
    const state = await filled(feeding, of, signal)
    // Retired between two looks.
    if (!state) continue
    const { edition } = state
    const format = own?.fileFormat ?? profile.native
    const gzip = own?.fileGzip ?? false
    const link = feedAddress(config, platform)
    let told = 0
    const written = await writeFeedFile(catalog, write, {
      ...{ path: await store.draft(id), config: of, edition, profile, format, gzip, signal },
      about: { title: row.name, link, profile, catalog: row.id, edition, at: state.editionAt ?? state.publishedAt },
      onLines: async (lines) => {
        if (Date.now() - told < progressEveryMs) return
        told = Date.now()
        await jobProgress(pool, job.id, lines, null)
      },
    })
    await jobProgress(pool, job.id, written.lines, written.lines)
    if (written.lines === 0)
      throw new NoFeed('FEED_003', `${platform} would take no product of this catalog; see the feed’s validation`)
    return {
      ...{ id, job: job.id, ...place, platform, config: of.id, edition, profileVersion: profile.version },
      ...{ format, gzip, ...written },
    }
  }
}

/** @throws NoFeed */
async function feedOf(pool: Pool, workspace: string, platform: string, configured: readonly Distribution[]) {
  const present = await findProfile(pool, workspace, platform)
  const made = present ? await madeWith(pool, workspace, present, configured) : 'unwritten'
  if (made === 'off') throw new NoFeed('FEED_001', `The brand is not on ${platform}`)
  if (made === 'unwritten') throw new NoFeed('FEED_001', `Nobody writes ${platform} at this version any more`)
  return { ...made, own: configured.find((one) => one.platform === platform) }
}
