/** Finds the variants that a product of a JSON document holds: in a list, in lists of a list, or in the objects of a list. */
import { foldName } from '../../../transforms/silver/fold-name.ts'
import { type Member, membersOf, skipSpace } from '../json-members.ts'
import { identifying } from '../nested/identifying.ts'
import { holdersOf, nestingOf, nestings } from '../nested/nestings.ts'
import { objectsIn } from './objects-within.ts'

export interface HeldVariants {
  /** The key of the list that the variants stand in. */
  readonly key: string
  /** The product's member that holds them all. */
  readonly member: Member
  readonly variants: readonly HeldVariant[]
}

export interface HeldVariant {
  /** Where its object begins. */
  readonly start: number
  /** What it says itself, and before that what the objects say that it stands in: a colour above its sizes. */
  readonly members: readonly Member[]
}

const mayHold = new Set([...holdersOf, ...nestings.map(({ variants }) => variants)])

/** Whether a product may have its variants under this key. */
export const mayHoldVariants = (key: string) => mayHold.has(key)

/** @param text of an object that is valid JSON */
export function hasVariants(text: string): boolean {
  const members = membersOf(text, skipSpace(text, 0))
  const held = members && heldVariants(text, members)
  return held !== null && held !== 'too much'
}

/** @returns null for a product without variants, `too much` for one that cannot be read */
export function heldVariants(text: string, members: readonly Member[]): HeldVariants | 'too much' | null {
  const nesting = nestingOf(
    (key) => members.some((member) => member.key === key),
    (key) => members.some((member) => member.key === key && text[member.start] === '['),
  )
  const own = members.find(({ key }) => key === nesting?.variants)
  if (nesting && own) {
    const variants = variantsIn(text, own)
    return variants === null || variants === 'too much' ? variants : { key: nesting.variants, member: own, variants }
  }
  const holder = members.find(({ key, start }) => key !== null && holdersOf.has(key) && text[start] === '[')
  return holder ? heldBelow(text, holder) : null
}

/** Of a list whose objects are no variants, but each hold some: all under the name of the first one's list. */
function heldBelow(text: string, member: Member): HeldVariants | 'too much' | null {
  const found: HeldVariant[] = []
  let key: string | undefined
  const objects = objectsIn(text, member.start)
  if (objects === null || objects.length === 0) return null
  for (const { start } of objects) {
    const around = membersOf(text, start)
    if (!around) return 'too much'
    const below = heldVariants(text, around)
    if (below === null || below === 'too much') return below
    key ??= below.key
    found.push(...inThe(around, below))
  }
  return key === undefined ? null : { key, member, variants: found }
}

function variantsIn(text: string, member: Member): HeldVariant[] | 'too much' | null {
  const objects = objectsIn(text, member.start)
  if (objects === null || objects.length === 0) return null
  const found: HeldVariant[] = []
  for (const { start } of objects) {
    const members = membersOf(text, start)
    if (!members) return 'too much'
    if (isOption(members)) return null
    const below = heldVariants(text, members)
    if (below === 'too much') return below
    if (below === null) found.push({ start, members })
    else found.push(...inThe(members, below))
  }
  return found
}

/**
 * What a variant says itself counts before what is said around it. What names the object around it names none of several variants: its
 * key says so.
 */
function inThe(around: readonly Member[], { member: list, variants }: HeldVariants): HeldVariant[] {
  const others = around
    .filter((one) => one !== list)
    .map((one) =>
      variants.length > 1 && one.key !== null && identifying.has(foldName(one.key))
        ? { ...one, key: `of ${one.key}` }
        : one,
    )
  return variants.map(({ start, members }) => {
    const said = new Set(members.map(({ key }) => key))
    return { start, members: [...others.filter(({ key }) => !said.has(key)), ...members] }
  })
}

/** Some list the values of each option where others list variants. */
const isOption = (members: readonly Member[]) =>
  members.length < 5 && members.some(({ key }) => key === 'name') && members.some(({ key }) => key === 'values')
