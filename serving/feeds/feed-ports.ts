/** What routes of feeds need: the catalog under policy, the lines that are made, and somebody to tell what was read. */
import type { FastifyRequest } from 'fastify'
import type { ConfigSettings, FeedConfig } from '../../infra/catalog/feed-configs.ts'
import type { FillState } from '../../infra/catalog/feed-fill.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import type { RecordedEvent } from '../../schemas/event.ts'
import type { AccessPorts } from '../access/principal.ts'
import type { WriteColumns } from './columnar-body.ts'

export interface RecordPorts {
  /** Tells what a channel did for an agent as an event; never makes it wait, and never fails it. */
  readonly record: (request: FastifyRequest, event: RecordedEvent) => void
}

export interface FollowTimes {
  /** How late a follower hears of a version: nobody is told, since a NOTIFY would make commits wait for one another. */
  readonly pollMs: number
  /** Silence that is longer looks like a connection that is lost. */
  readonly heartbeatMs: number
}

export interface LinePorts {
  /** @param version of which its first lines are, should there be none yet */
  configFor(
    place: Pick<FeedConfig, 'catalog' | 'workspace' | 'brand'>,
    settings: ConfigSettings,
    version: number,
  ): Promise<FeedConfig>
  /** @returns null where its lines are no longer kept */
  state(config: FeedConfig): Promise<FillState | null>
  /** Makes the next lines, if there are any to be made. */
  step(config: FeedConfig): Promise<FillState | null>
  /** Makes all that is to be made; those who ask at the same time share the answer. */
  present(config: FeedConfig): Promise<FillState | null>
}

export interface FeedPorts extends RecordPorts {
  readonly catalog: Pick<Catalog, 'withTenant' | 'copyWithTenant'>
  readonly feeds: LinePorts
  readonly writeColumns: WriteColumns
  readonly access: Pick<AccessPorts, 'publicUrl'>
  readonly now: () => Date
  readonly follows?: Partial<FollowTimes>
}
