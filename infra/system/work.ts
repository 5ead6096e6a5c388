/** All that is done as a job, or for one request: opened in one place, so that it is seen what needs what. */
import { join } from 'node:path'
import { mostPixelsAnywhere } from '../../schemas/feeds/image-limits.ts'
import { jobAppends } from '../../schemas/job.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Config } from '../config.ts'
import { openByTurns } from '../egress/by-turns.ts'
import type { Egress } from '../egress/open-egress.ts'
import type { Polite } from '../egress/polite.ts'
import type { EventStore } from '../events/port.ts'
import type { JobHandler, JobKind, Jobs } from '../jobs.ts'
import type { InboundLog } from '../log/inbound-log.ts'
import { openPictures } from '../pictures.ts'
import { openBulkEdits } from './bulk-edits.ts'
import { openBulkWriter } from './bulk-writer.ts'
import { openCatalogLives } from './catalog-lives.ts'
import { openDispatching } from './dispatching.ts'
import { openDuplicates } from './duplicates.ts'
import { openEdits } from './edits.ts'
import { columnsWriter } from './exports.ts'
import { openFeedDeciding } from './feed-deciding.ts'
import { feedFileStore } from './feed-file-store.ts'
import { openFeedGenerating } from './feed-generating.ts'
import { openFeedSchedule } from './feed-schedule.ts'
import { openFeeding } from './feeding.ts'
import { openFollowing } from './following.ts'
import { openForecasting } from './forecasting.ts'
import { openForking } from './forking.ts'
import { openHolding } from './holding.ts'
import { openImageChecks } from './image-checks.ts'
import { openImports } from './imports.ts'
import { openJobControl } from './job-control.ts'
import { openMerging } from './merging.ts'
import type { Others } from './others.ts'
import { openPopularity } from './popularity.ts'
import { openPreviews } from './previews.ts'
import { openPromoting } from './promoting.ts'
import { openPublishing } from './publishing.ts'
import { openRebuilder } from './rebuilder.ts'
import { openRebuilding } from './rebuilding.ts'
import { openRedriving } from './redriving.ts'
import { openRefining } from './refining.ts'
import { openRefresher } from './refresher.ts'
import { openReplaying } from './replaying.ts'
import { openRestoring } from './restoring.ts'
import type { Sending } from './sending.ts'
import { openUndoing } from './undoing.ts'
import { openUploads } from './uploads.ts'
import { openUrlImports } from './url-imports.ts'
import { openValidating } from './validating.ts'
import { openVerifier } from './verifier.ts'
import { openVerifying } from './verifying.ts'
import { openVisibility } from './visibility.ts'

export type Work = ReturnType<typeof openWork>

interface Parts {
  readonly config: Config
  readonly catalog: Catalog
  readonly sending: Sending
  readonly others: Others
  /** What tenants write to topics of their own. */
  readonly inbound: InboundLog
  readonly digest: (text: string) => string
  readonly taxonomy: KnownCategories | undefined
  readonly egress: Egress
  readonly polite: Polite
  readonly events: EventStore
  /** null in a process without a queue. */
  readonly jobs: () => Jobs | null
}

/** Between two images of one host. They are made to be fetched by many at once; ten a second is what a visitor's browser asks for. */
const imageRestMs = 100

export function openWork({
  config,
  catalog,
  sending,
  others,
  inbound,
  digest,
  taxonomy,
  egress,
  polite,
  events,
  jobs,
}: Parts) {
  const { log } = sending
  const bulk = openBulkWriter({ catalog, log, sending })
  const following = openFollowing({ catalog, log, bulk })
  const imports = openImports({ config, catalog, log, digest, taxonomy, egress, following, jobs })
  const previews = openPreviews({ config, catalog, imports })
  const uploads = openUploads({ config, catalog, imports })
  const holding = openHolding({ catalog, jobs })
  const undoing = openUndoing({ catalog, log, bulk, following, jobs, now: () => new Date() })
  const redriving = openRedriving({ catalog, log, inbound, bulk, digest, taxonomy, jobs, now: () => new Date() })
  const edits = openEdits({ catalog, log })
  const publishing = openPublishing({ catalog, jobs })
  const bulkEdits = openBulkEdits({ catalog, bulk, jobs, following, familyFor: edits.familyFor })
  const refresher = openRefresher(catalog.pipeline, { digest, taxonomy })
  const refining = openRefining({ catalog, refresher, jobs, taxonomy: taxonomy?.key })
  const lives = openCatalogLives({ catalog, bulk, jobs })
  const urlImports = openUrlImports({ catalog, log, bulk, polite, jobs })
  const duplicates = openDuplicates({ catalog, jobs, digest })
  const hosts = openByTurns({ egress, restMs: imageRestMs })
  const imageChecks = openImageChecks({ catalog, bulk, jobs, hosts, pictures: openPictures(mostPixelsAnywhere) })
  const verifier = openVerifier({ catalog, log, digest, taxonomy })
  const rebuilder = openRebuilder({ catalog, log, verifier, digest, taxonomy })
  const verifying = openVerifying({ catalog, log, verifier, rebuilder, jobs })
  const rebuilding = openRebuilding({ catalog, log, rebuilder, jobs })
  const replaying = openReplaying({ catalog, log, digest, taxonomy, others, jobs })
  const feeding = openFeeding(catalog)
  const feedStore = feedFileStore(config)
  const now = () => new Date()
  const feedSchedule = openFeedSchedule({ catalog, jobs, now })
  const write = columnsWriter(join(config.dataFolder, 'spool'))
  const feedGenerating = openFeedGenerating({ catalog, feeding, store: feedStore, write, config, now })
  const feedDeciding = openFeedDeciding({ catalog, store: feedStore, config, now })
  const dispatching = openDispatching({ catalog, jobs })
  const jobControl = openJobControl({
    ...{ catalog, log, imports, publishing, urlImports, verifying, rebuilding, replaying, feedGenerating, dispatching },
  })
  const visibility = openVisibility({ catalog, log, events, jobs, now })
  const popularity = openPopularity({ catalog, events, jobs, now })
  const forecasting = openForecasting({ catalog, jobs, now })
  const validating = openValidating({ catalog, feeding, config, jobs, now })
  const promoting = openPromoting({ catalog, refresher, jobControl, jobs })
  const copying = { catalog, bulk, jobs, now }
  const forking = openForking(copying)
  const merging = openMerging({ ...copying, log })
  const restoring = openRestoring({ ...copying, publishing })
  const runs: Readonly<Record<JobKind, JobHandler>> = {
    import: imports.run,
    fetch_file: imports.runFetch,
    preview: previews.run,
    publish: publishing.run,
    refine: refining.run,
    bulk: bulkEdits.run,
    restore: restoring.run,
    fork: forking.run,
    merge: merging.run,
    delete_catalog: lives.runDelete,
    undelete_catalog: lives.runUndelete,
    url_import: urlImports.run,
    undo: undoing.runUndo,
    redo: undoing.runRedo,
    check_images: imageChecks.run,
    verify: verifying.run,
    rebuild: rebuilding.run,
    replay: replaying.run,
    promote: promoting.run,
    duplicates: duplicates.run,
    redrive: redriving.run,
    visibility: visibility.run,
    popularity: popularity.run,
    feed_file: feedGenerating.run,
    dispatch: dispatching.run,
    forecast: forecasting.run,
    validate_feed: validating.run,
  }
  const resumed =
    (run: JobHandler): JobHandler =>
    async (id, signal) => {
      await sending.resume(id)
      await run(id, signal)
    }
  const handlers = Object.fromEntries(
    Object.entries(runs).map(([kind, run]) => [kind, jobAppends[kind as JobKind] ? resumed(run) : run]),
  )
  return {
    ...{ bulk, imports, holding, undoing, previews, uploads, edits, publishing, bulkEdits, refresher, refining, lives },
    ...{ urlImports, imageChecks, following, verifier, verifying, rebuilding, duplicates, replaying, promoting },
    ...{ redriving, inbound, visibility, popularity },
    ...{ feeding, feedStore, feedSchedule, feedGenerating, feedDeciding },
    ...{ dispatching, forecasting, validating },
    ...{ jobControl, forking, merging, restoring, handlers },
  }
}
