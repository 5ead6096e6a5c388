/** Of what a profile of one's own is made: the platform's profile that it names, and rules that fit it. */
import { ServiceError } from '../../schemas/errors.ts'
import { ownFaults, ownWarnings } from '../../schemas/feeds/own-faults.ts'
import type { OwnProfile, OwnRule } from '../../schemas/feeds/own-rules.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { profileFor, profiles, versionsOf } from '../../schemas/feeds/registry.ts'
import type { Shape } from '../../schemas/feeds/shapes.ts'
import { valueFault } from './forms/line-check.ts'

interface Named {
  readonly platform: string
  readonly platform_version?: number | undefined
}

/** @throws FEED_001 that names what there is */
export function baseOf({ platform, platform_version: version }: Named): FeedProfile {
  const base = profileFor(platform, version)
  if (base) return base
  const known = profileFor(platform)
    ? `there are versions ${versionsOf(platform)
        .map((one) => one.version)
        .join(', ')} of it`
    : `there are ${profiles.map((one) => one.platform).join(', ')}`
  const what = version === undefined ? platform : `${platform} at version ${version}`
  const field = profileFor(platform) ? 'platform_version' : 'platform'
  throw new ServiceError('FEED_001', { message: `Nobody writes ${what}; ${known}`, field })
}

/**
 * @param code as the place has it that the rules are sent to
 * @throws ServiceError that says of the first fault where it is and what would be right
 */
export function checkedRules(
  base: FeedProfile,
  rules: readonly OwnRule[],
  code: 'INVALID_REQUEST' | 'BAD_REQUEST' = 'INVALID_REQUEST',
): void {
  const [fault] = [...ownFaults(base, rules), ...valueFaults(base, rules)]
  if (fault) throw new ServiceError(code, { message: `${fault.field}: ${fault.says}`, field: fault.field })
}

/** Values that are always the same are known before any product is. */
function* valueFaults({ schema }: FeedProfile, rules: readonly OwnRule[]) {
  const shapes = new Map(Object.entries((schema.properties ?? {}) as Readonly<Record<string, Shape>>))
  for (const [n, rule] of rules.entries()) {
    const set = rule.kind === 'constant' ? rule : rule.kind === 'condition' ? rule.set : undefined
    const shape = set && shapes.get(set.field)
    const asks = shape && valueFault(shape, set.value)
    if (!asks) continue
    const field = `rules.${n}${rule.kind === 'constant' ? '' : '.set'}.value`
    yield { field, says: `does not fit "${set.field}": it ${asks}` }
  }
}

export function warningsOf({
  platform,
  platformVersion,
  rules,
}: Pick<OwnProfile, 'platform' | 'platformVersion' | 'rules'>) {
  const base = profileFor(platform, platformVersion)
  return base ? ownWarnings(base, rules) : [`nobody writes ${platform} at version ${platformVersion} any more`]
}
