/** A webhook of a channel, for the API document. */
import { deltaEvent } from '../../schemas/delta.ts'
import { endOfVersion } from '../../schemas/position.ts'
import { exampleIds } from '../workspace/examples.ts'
import type { Channel } from './channel.ts'
import { exampleWebhook } from './webhook-resource.ts'

export function exampleOf({ events, config }: Channel) {
  if (events !== null)
    return { ...exampleWebhook, platform: config.channel ? 'google' : null, events: [events[0] ?? ''] }
  const { catalogId } = exampleIds
  return {
    ...exampleWebhook,
    ...{ catalogId, target: 'shopify' as const, options: {}, position: endOfVersion(7), events: [deltaEvent] },
  }
}
