/** Finds the products of a file's rows; of a feed as we write them, so that reading one back is no edit. */
import type { ImportContext } from '../schemas/pipeline.ts'
import { type Asked, type Resolution, type ResolveScope, resolve } from './identity.ts'
import type { ImportPorts } from './import-ports.ts'
import { withKnownGroups } from './known-groups.ts'
import { withoutKnown } from './known-values.ts'
import { withOwnIds } from './own-ids.ts'
import { ownWords } from './own-words.ts'
import { respelledImages } from './respelled-images.ts'
import { isFeed, withoutCuts } from './without-cuts.ts'

type Ports = Pick<ImportPorts, 'identities'> & { readonly store: Pick<ImportPorts['store'], 'present' | 'settings'> }

export function feedResolver(
  context: Pick<ImportContext, 'header' | 'mapping'>,
  scope: ResolveScope,
  { identities, store }: Ports,
): (asked: readonly Asked[], empty: boolean) => Promise<Resolution> {
  const present = (ids: readonly string[]) => store.present(scope.catalog, ids)
  const find = withOwnIds(context, present, (asked, empty) => resolve(asked, scope, identities, empty))
  const grouped = async (asked: readonly Asked[], empty: boolean, edit = asFound) =>
    withKnownGroups(await edit(await find(asked, empty)), scope, identities, present, empty)
  const own = ownWords(context, scope.catalog, identities, present, (asked) => grouped(asked, false))
  if (own) return (asked, empty) => (empty ? grouped(asked, empty) : own(asked))
  if (!isFeed(context.header)) return grouped
  const whole = withoutCuts(context, present)
  const spelled = respelledImages(context, present)
  const unsaid = withoutKnown(context, present, () => store.settings(scope.workspace))
  const read = async (found: Resolution) => unsaid(await spelled(await whole(found)))
  return (asked, empty) => grouped(asked, empty, empty ? asFound : read)
}

const asFound = async (found: Resolution) => found
