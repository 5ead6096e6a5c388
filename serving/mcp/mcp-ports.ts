/** What the tool channel needs of the system. */
import type { FastifyRequest } from 'fastify'
import type { RecordedEvent } from '../../schemas/event.ts'
import type { AccessPorts } from '../access/principal.ts'
import type { FeedPorts } from '../feeds/feed-ports.ts'
import type { LimitPorts } from '../plugins/limits.ts'
import type { AnswerPorts } from '../search/answer-search.ts'
import type { DemandPorts } from '../workspace/demand-gaps.ts'
import type { ProductPorts } from '../workspace/product-ports.ts'
import type { Prompt } from './prompts.ts'
import type { Resource } from './resources.ts'
import type { Tool } from './tool.ts'

export interface McpPorts
  extends ProductPorts,
    Pick<FeedPorts, 'feeds'>,
    Pick<DemandPorts, 'aggregation' | 'demand' | 'weights'>,
    Pick<AnswerPorts, 'search' | 'recordFor'> {
  readonly catalog: ProductPorts['catalog'] & FeedPorts['catalog']
  readonly access: Pick<AccessPorts, 'publicUrl'>
  readonly mcp: {
    /** Issuer of tokens, where it is no part of Assay; null: there is none to send clients to. */
    readonly issuer: string | null
    /** Somebody else takes requests and sends them on, under names that this server does not know. */
    readonly isBehindProxy: boolean
    /** What a suite for any server wants to find; tests alone have it. */
    readonly fixtures?: {
      readonly tools: readonly Tool[]
      readonly resources: readonly Resource[]
      readonly prompts: readonly Prompt[]
      /** Declared beside those of the tools. */
      readonly capabilities: object
      /** Of what a tool has its client bring back. @throws where it is not as it was */
      readonly verifyState: (state: string) => unknown
    }
  }
  readonly limits: LimitPorts
  readonly cursorKey: Buffer
  readonly isStoreAway: (error: unknown) => boolean
  /** Tells a call as an event. @param event.brand null: the workspace's main brand */
  readonly recordCall: (
    request: FastifyRequest,
    event: Omit<RecordedEvent, 'brand'> & { readonly brand: string | null },
  ) => void
  readonly now: () => Date
}
