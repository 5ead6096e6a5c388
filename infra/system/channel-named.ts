/** The channel that an event means: a feed's platform goes by any of its names. */
import { platforms } from '../../schemas/feeds/registry.ts'
import { type Channel, channelNames } from '../../schemas/visibility.ts'

const feedName = /^feed:(.*)$/

/** @returns null where there is no such channel */
export function channelNamed(name: string): Channel | null {
  const said = feedName.exec(name)?.[1]
  const known = platforms.find(({ platform, aliases }) => said === platform || aliases.includes(said ?? ''))
  const channel = known ? `feed:${known.platform}` : name
  return channelNames.find((one) => one === channel) ?? null
}
