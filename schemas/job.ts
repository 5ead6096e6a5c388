/** Jobs as data: their states, the moves between these, who may stop or repeat which kind, and what the end of one is called. */
import type { JobKind } from '../infra/jobs.ts'
import type { Action } from './access.ts'

export const jobStatuses = ['queued', 'active', 'completed', 'failed'] as const
export type JobStatus = (typeof jobStatuses)[number]

/** From each state where it may go; a cancelled job is failed. The database refuses every other move (migration 009). */
export const jobMoves: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['active', 'failed'],
  active: ['completed', 'failed'],
  completed: [],
  failed: [],
}

/** States that a job may come from. */
export const statesBefore = (to: JobStatus): readonly JobStatus[] =>
  jobStatuses.filter((from) => jobMoves[from].includes(to))

interface Kind {
  /** What its start asks for; cancelling and retrying ask for the same. */
  readonly right: Action
  /** Of what would leave a catalog neither here nor there if it stopped in the middle: what to do in place of cancelling. */
  readonly uncancelled: string | null
  readonly completed: string
  readonly failed: string
}

export const jobRules: Readonly<Record<JobKind, Kind>> = {
  import: rule('imports:write', 'Import completed', 'Import failed'),
  /** The first part of an import whose file lies at an address; its job is an `import`. */
  fetch_file: rule('imports:write', 'Import completed', 'Import failed'),
  preview: rule('imports:write', 'Preview completed', 'Preview failed'),
  publish: rule('catalogs:write', 'Catalog published', 'Publish failed'),
  refine: rule('settings:write', 'Products refined', 'Refining products failed'),
  bulk: rule('products:write', 'Bulk change completed', 'Bulk change failed'),
  restore: rule('catalogs:write', 'Version restored', 'Restoring the version failed'),
  fork: rule('catalogs:write', 'Catalog forked', 'Forking the catalog failed'),
  merge: rule('catalogs:write', 'Catalog merged', 'Merging the catalog failed'),
  url_import: rule('imports:write', 'Pages imported', 'Importing pages failed'),
  check_images: rule('products:write', 'Images checked', 'Checking images failed'),
  visibility: rule('dashboards:write', 'Visibility snapshot taken', 'Taking the visibility snapshot failed'),
  popularity: rule('search:write', 'Popularity counted', 'Counting popularity failed'),
  feed_file: rule('catalogs:write', 'Feed generated', 'Generating the feed failed'),
  dispatch: rule('webhooks:write', 'Catalog pushed to its webhooks', 'Pushing the catalog to its webhooks failed'),
  forecast: rule('mcp:feed:read', 'Forecast of a feed made', 'Making the forecast of a feed failed'),
  validate_feed: rule('mcp:feed:read', 'Feed validated', 'Validating the feed failed'),
  duplicates: rule('products:write', 'Duplicates looked for', 'Looking for duplicates failed'),
  delete_catalog: {
    ...rule('catalogs:write', 'Catalog deleted', 'Deleting the catalog failed'),
    uncancelled: 'bring the catalog back when it has ended',
  },
  undelete_catalog: {
    ...rule('catalogs:write', 'Catalog brought back', 'Bringing the catalog back failed'),
    uncancelled: 'delete the catalog when it has ended',
  },
  redrive: rule('catalogs:write', 'Dead letters redriven', 'Redriving dead letters failed'),
  verify: rule('catalogs:write', 'Catalog verified', 'Verifying the catalog failed'),
  rebuild: rule('replays:write', 'Catalog rebuilt', 'Rebuilding the catalog failed'),
  replay: rule('replays:write', 'Log replayed', 'Replaying the log failed'),
  promote: {
    ...rule('replays:write', 'Replay promoted', 'Promoting the replay failed'),
    uncancelled: 'when it has ended, set the former weights and settings again',
  },
  undo: {
    ...rule('imports:write', 'Import undone', 'Undoing the import failed'),
    uncancelled: 'redo the import when it has ended',
  },
  redo: {
    ...rule('imports:write', 'Import taken back in', 'Taking the import back in failed'),
    uncancelled: 'undo the import when it has ended',
  },
}

/** Whether jobs of a kind append records, or wait for some: what began in an epoch of the log ends in it, and what they made is sent in their order. */
export const jobAppends: Readonly<Record<JobKind, boolean>> = {
  import: true,
  fetch_file: true,
  preview: false,
  publish: false,
  refine: false,
  bulk: true,
  restore: true,
  fork: true,
  merge: true,
  delete_catalog: true,
  undelete_catalog: true,
  url_import: true,
  undo: true,
  redo: true,
  check_images: true,
  verify: false,
  rebuild: false,
  replay: false,
  promote: false,
  duplicates: false,
  redrive: true,
  visibility: false,
  popularity: false,
  feed_file: false,
  dispatch: false,
  forecast: false,
  validate_feed: false,
}

function rule(right: Action, completed: string, failed: string): Kind {
  return { right, uncancelled: null, completed, failed }
}

/** Names that stand for nobody: who started it is not told. */
export const unattended = ['auto_publish', 'assay'] as const
