/** What the routes of stored feeds need of a system: files on this machine, generations begun and decided on, targets checked and their secrets sealed. */
import { EgressError } from '../../schemas/egress-error.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { DistributionPorts } from '../../serving/feeds/distribution.ts'
import type { FeedFilePorts } from '../../serving/feeds/feed-files.ts'
import type { GenerationPorts } from '../../serving/feeds/feed-generation.ts'
import type { TargetPorts } from '../../serving/feeds/feed-targets.ts'
import { ArchiveFileGone } from '../archive/store.ts'
import { faultOfKey } from '../sftp.ts'
import type { System } from '../system.ts'

type Ports = Pick<FeedFilePorts, 'feedFiles'> &
  Pick<GenerationPorts, 'generation'> &
  Pick<TargetPorts, 'feedTargets'> &
  Pick<DistributionPorts, 'nextRun'>

type Parts = Pick<System, 'feedStore' | 'feedSchedule' | 'feedDeciding' | 'egress' | 'sealing'>

export function feedFilePorts({ feedStore, feedSchedule, feedDeciding, egress, sealing }: Parts): Ports {
  return {
    nextRun: feedSchedule.next,
    feedFiles: {
      pathOf: (id) =>
        feedStore.local(id).catch((error: unknown) => {
          if (error instanceof ArchiveFileGone) return null
          throw error
        }),
    },
    generation: { start: feedSchedule.start, decide: feedDeciding.decide },
    feedTargets: {
      check(of, secret) {
        const field = of.kind === 'sftp' ? 'host' : 'endpoint'
        try {
          if (of.kind === 'sftp') egress.checkHost(of.place.host, of.place.port)
          else egress.check(of.place.endpoint)
        } catch (error) {
          if (!(error instanceof EgressError)) throw error
          throw new ServiceError('INVALID_REQUEST', { message: `${field}: ${error.message}`, field, cause: error })
        }
        const fault = faultOfKey(secret)
        if (fault !== null) throw new ServiceError('INVALID_REQUEST', { message: fault, field: 'private_key' })
      },
      seal: (secret, target) => sealing.seal(JSON.stringify(secret), target),
    },
  }
}
