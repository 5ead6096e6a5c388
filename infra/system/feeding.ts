/** Makes the lines of feeds, for whoever reads them and after each publish of what is read. */
import { findProfile } from '../../serving/feeds/find-profile.ts'
import { lineRenderer } from '../../serving/feeds/render-line.ts'
import { type FeedConfig, feedConfigFor } from '../catalog/feed-configs.ts'
import { type FillState, fillState, fillStep, isFilled } from '../catalog/feed-fill.ts'
import type { Render } from '../catalog/feed-lines.ts'
import { feedsBehind } from '../catalog/feed-sweep.ts'
import type { Catalog } from '../catalog/postgres.ts'

export interface Feeding {
  configFor: (...of: FeedConfigArguments) => Promise<FeedConfig>
  /** @returns null where its lines are no longer kept */
  state(config: FeedConfig): Promise<FillState | null>
  /** Makes the next lines, if there are any to be made. */
  step(config: FeedConfig): Promise<FillState | null>
  /** Makes all that is to be made; those who ask at the same time share the answer. */
  present(config: FeedConfig): Promise<FillState | null>
  /** A part of what is to be made after publishes. @returns whether there may be more */
  follow(signal: AbortSignal): Promise<boolean>
}

/** Followers of one feed look together. */
const sharedMs = 50

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never
type FeedConfigArguments = Tail<Parameters<typeof feedConfigFor>>

export function openFeeding({ pipeline }: Pick<Catalog, 'pipeline'>, now = () => new Date()): Feeding {
  const profileOf = ({ workspace, platform, profileVersion }: FeedConfig) =>
    findProfile(pipeline, workspace, platform, profileVersion)
  async function renderOf(config: FeedConfig): Promise<Render> {
    const profile = await profileOf(config)
    if (!profile) throw new Error(`nobody writes ${config.platform} at version ${config.profileVersion} any more`)
    return lineRenderer(profile, config)
  }
  const step = async (config: FeedConfig) => fillStep(pipeline, config, await renderOf(config), now().toISOString())
  const asked = new Map<number, Promise<FillState | null>>()
  async function fill(config: FeedConfig, signal?: AbortSignal): Promise<FillState | null> {
    let state = await fillState(pipeline, config.id, now().toISOString())
    while (state && !isFilled(state) && !signal?.aborted) state = await step(config)
    return state
  }
  return {
    configFor: (...of) => feedConfigFor(pipeline, ...of),
    state: ({ id }) => fillState(pipeline, id, now().toISOString()),
    step,
    present(config) {
      const found = asked.get(config.id)
      if (found) return found
      const present = fill(config).finally(() => setTimeout(() => asked.delete(config.id), sharedMs).unref())
      asked.set(config.id, present)
      return present
    },
    async follow(signal) {
      for (const config of await feedsBehind(pipeline)) {
        if (signal.aborted) break
        if (await profileOf(config)) await fill(config, signal)
      }
      return false
    },
  }
}
