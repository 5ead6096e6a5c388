/** What a snapshot says of each channel: figures that are known, and null where nobody knows. */
import { platforms, profileFor } from '../../schemas/feeds/registry.ts'
import { channelNames, recorderOf } from '../../schemas/visibility.ts'
import type { ChannelFigures, Offered } from '../catalog/visibility-build.ts'
import type { ChannelEvents } from '../events/seen-products.ts'
import { channelNamed } from './channel-named.ts'

export type Summed = Offered

/** Of each platform, and last of all that the brand's products must pass together. */
export const judgedBits = (required: number): readonly number[] => [...platforms.map(({ bit }) => bit), required]

export const nothingOffered = (bits: number): Summed => ({
  ...{ offered: 0, searchable: 0, unjudged: 0 },
  ...{ valid: new Array<number>(bits).fill(0), ready: new Array<number>(bits).fill(0) },
})

const added = (a: readonly number[], b: readonly number[]) => a.map((one, i) => one + (b[i] ?? 0))

export const addOffered = (sum: Summed, page: Offered): Summed => ({
  offered: sum.offered + page.offered,
  searchable: sum.searchable + page.searchable,
  unjudged: sum.unjudged + page.unjudged,
  valid: added(sum.valid, page.valid),
  ready: added(sum.ready, page.ready),
})

const together = (a: ChannelEvents, b: ChannelEvents): ChannelEvents => ({
  channel: a.channel,
  events: a.events + b.events,
  nothing: a.nothing + b.nothing,
  unnamed: a.unnamed + b.unnamed,
  lines: a.lines === null && b.lines === null ? null : Math.max(a.lines ?? 0, b.lines ?? 0),
})

const none = { events: 0, nothing: 0, unnamed: 0, lines: null }

/** @param seen by channel, products that events named @param unknown by channel, names that are nobody's */
export function channelFigures(
  summed: Summed,
  met: readonly ChannelEvents[],
  seen: ReadonlyMap<string, number>,
  unknown: Readonly<Record<string, number>>,
): ChannelFigures[] {
  const events = new Map<string, ChannelEvents>()
  for (const one of met) {
    const channel = channelNamed(one.channel)
    const before = channel && events.get(channel)
    if (channel) events.set(channel, before ? together(before, one) : one)
  }
  return channelNames.map((channel) => {
    const place = platforms.findIndex(({ platform }) => channel === `feed:${platform}`)
    const platform = platforms[place]
    const judged = place < 0 ? platforms.length : place
    const recorder = recorderOf(channel)
    const { lines, ...own } = events.get(channel) ?? none
    return {
      ...{ channel, recorder },
      offered: platform === undefined || profileFor(platform.platform) ? summed.offered : null,
      valid: summed.valid[judged] ?? 0,
      feedReady: summed.ready[judged] ?? 0,
      ...{ unjudged: summed.unjudged, searchable: summed.searchable },
      ...{ events: own.events, nothing: own.nothing, unnamed: own.unnamed },
      ...seenOf({ ...own, lines }, seen.get(channel) ?? 0, recorder),
      unknown: unknown[channel] ?? 0,
    }
  })
}

/**
 * A read of a feed says how many products it had, each once: the largest read is the least that was read. Where callers alone tell and
 * none did, and where none says which products it was about, nobody knows.
 */
function seenOf(
  { events, unnamed, lines }: Omit<ChannelEvents, 'channel'>,
  named: number,
  recorder: 'assay' | 'callers',
): { readonly seen: number | null; readonly seenAtLeast: boolean } {
  if (events === 0) return { seen: recorder === 'assay' ? 0 : null, seenAtLeast: false }
  if (lines !== null) return { seen: Math.max(lines, named), seenAtLeast: unnamed > 0 }
  if (named === 0 && unnamed > 0) return { seen: null, seenAtLeast: false }
  return { seen: named, seenAtLeast: unnamed > 0 }
}
