/** The result of a job in a few words for people: its counts, as `12 created, 3 updated`. */

/** In this order; what is zero is not said. */
const counted = [
  ['created', 'created'],
  ['added', 'added'],
  ['updated', 'updated'],
  ['modified', 'modified'],
  ['changed', 'changed'],
  ['refined', 'refined'],
  ['removed', 'removed'],
  ['deleted', 'deleted'],
  ['returned', 'brought back'],
  ['unchanged', 'unchanged'],
  ['duplicate', 'duplicate'],
  ['rejected', 'rejected'],
  ['valid', 'valid'],
  ['refused', 'refused'],
  ['stillDead', 'still dead'],
  ['missing', 'not there'],
  ['compared', 'compared'],
  ['mended', 'mended'],
  ['restored', 'restored'],
  ['unfounded', 'unknown to the log'],
  ['differing', 'differing'],
  ['up', 'up'],
  ['down', 'down'],
  ['recomputed', 'computed again'],
  ['stale', 'stale'],
  ['groups', 'groups of duplicates'],
] as const

export function jobSummary(result: unknown): string {
  if (typeof result !== 'object' || result === null) return 'Done.'
  const numbers = result as Readonly<Record<string, unknown>>
  const said = counted.flatMap(([name, word]) => {
    const n = numbers[name]
    return typeof n === 'number' && n > 0 ? [`${n} ${word}`] : []
  })
  const version = typeof numbers.version === 'number' ? `Version ${numbers.version}` : null
  if (said.length === 0) return version === null ? 'Done.' : `${version}: no change.`
  return `${version === null ? '' : `${version}: `}${said.join(', ')}.`
}
