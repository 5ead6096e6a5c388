/** Feed files that the guard holds: a person lets one take its place, or refuses it. */

import type { DecidedFile } from '../../serving/feeds/feed-generation.ts'
import { insertAudit } from '../catalog/audit.ts'
import { decideFeedFile, findFeedFile, isOvertaken, lockFeedFiles } from '../catalog/feed-files.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { makeCurrent } from './feed-current.ts'
import type { FeedFileStore } from './feed-file-store.ts'
import type { OwnAddress } from './own-address.ts'

interface Parts {
  readonly catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>
  readonly store: Pick<FeedFileStore, 'remove'>
  readonly config: OwnAddress
  readonly now: () => Date
}

export interface FeedDeciding {
  /** @returns why not, or null */
  decide(of: DecidedFile, to: 'ready' | 'refused'): Promise<string | null>
}

export function openFeedDeciding({ catalog, store, config, now }: Parts): FeedDeciding {
  return {
    async decide({ id, catalog: of, platform, by, requestId }, to) {
      const refused = await catalog.inTransaction(catalog.pipeline, async (tx) => {
        await lockFeedFiles(tx, of, platform)
        const file = await findFeedFile(tx, id, of, platform)
        if (file?.state !== 'held') return `The file is ${file?.state ?? 'gone'}; only a held one is decided on`
        if (to === 'ready' && (await isOvertaken(tx, file))) return 'A later file is in force; generate the feed again'
        await decideFeedFile(tx, id, to, by)
        if (to === 'ready') await makeCurrent(tx, config, file, now())
        const { workspace, brand } = file
        const action = to === 'ready' ? 'feed.file.release' : 'feed.file.refuse'
        const change = { before: { state: 'held' }, after: { state: to } }
        await insertAudit(tx, { workspace, brand, subject: by, requestId, action, target: id, ...change })
        return null
      })
      if (refused === null && to === 'refused') await store.remove(id)
      return refused
    },
  }
}
