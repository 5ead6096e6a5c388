/** Finds out how a feed's present lines can be read: stored, stored as far as they are made, or made while they are read. */
import type { FeedConfig } from '../../infra/catalog/feed-configs.ts'
import { editionOf } from '../../infra/catalog/feed-edition.ts'
import { type FillState, isFilled } from '../../infra/catalog/feed-fill.ts'
import type { LinePorts } from './feed-ports.ts'
import type { Made } from './line-pages.ts'

export interface OpenLines {
  /**
   * `stored`: all lines of the edition are there. `filling`: the reader makes the first ones as it goes. `behind`: lines of an
   * older version are being made, and this one's are made for this reader alone.
   */
  readonly how: 'stored' | 'filling' | 'behind'
  readonly edition: number
  readonly at: Date | null
  /** How far the lines are made. */
  readonly made: Made
  /** The version of which the first lines were. */
  readonly base: number
}

/** What was changed by a usual publish is made in this; a reader does not wait for a whole catalog. */
const patienceMs = 1_000
/** A small catalog is made whole in this; of a large one the first lines are sent as they are made. */
const firstMs = 10

/**
 * @param serves whether lines that are not all made serve the reader
 * @returns null where the lines of the configuration are no longer kept
 */
export async function openLines(
  feeds: LinePorts,
  config: FeedConfig,
  patience = patienceMs,
  serves: (how: OpenLines['how']) => boolean = () => true,
): Promise<OpenLines | null> {
  let state = await feeds.state(config)
  const began = performance.now()
  while (state && !isFilled(state)) {
    if (performance.now() - began > (state.edition === null ? firstMs : patience)) {
      const open = unfilled(state)
      if (serves(open.how)) return open
    }
    state = await feeds.step(config)
  }
  if (!state) return null
  const at = state.editionAt ?? state.publishedAt
  return { how: 'stored', edition: state.edition ?? 0, at, made: state, base: state.base }
}

function unfilled(made: FillState): OpenLines {
  const { edition, base, publishedVersion, publishedAt, due } = made
  const isFirst = edition === null && base === publishedVersion && !due
  return { how: isFirst ? 'filling' : 'behind', edition: editionOf(publishedVersion), at: publishedAt, made, base }
}
