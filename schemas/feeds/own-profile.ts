/** Makes a workspace's own profile from a platform's: columns, schema, rules and lines with its fields and names. */
import { ownLine } from './own-line.ts'
import type { OwnProfile, OwnRule } from './own-rules.ts'
import type { FeedProduct, FeedProfile } from './profile.ts'
import { type Shape, textShape } from './shapes.ts'

type Names = ReadonlyMap<string, string>

const namesOf = (rules: readonly OwnRule[]): Names =>
  new Map(rules.flatMap((rule) => (rule.kind === 'rename' ? [[rule.field, rule.to] as const] : [])))

/** What rules write, by the platform's names. */
export const writtenBy = (rules: readonly OwnRule[]): readonly string[] => {
  const fields = rules.flatMap((rule) => {
    if (rule.kind === 'constant' || rule.kind === 'template') return [rule.field]
    return rule.kind === 'condition' && rule.set ? [rule.set.field] : []
  })
  return [...new Set(fields)]
}

/** Every platform names the product first. */
export const idOf = ({ columns }: Pick<FeedProfile, 'columns'>): string => columns[0] ?? 'id'
const writesId = (base: Pick<FeedProfile, 'columns'>, rules: readonly OwnRule[]): boolean =>
  writtenBy(rules).includes(idOf(base))

/** The platform's columns and those that rules add, under their last names. */
export function ownColumns(base: readonly string[], rules: readonly OwnRule[]): readonly string[] {
  const names = namesOf(rules)
  const added = writtenBy(rules).filter((field) => !base.includes(field))
  return [...base, ...added].map((field) => names.get(field) ?? field)
}

const shapesOf = ({ schema }: FeedProfile) => (schema.properties ?? {}) as Readonly<Record<string, Shape>>

const renamedKeys = <T>(of: Readonly<Record<string, T>>, names: Names): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [names.get(key) ?? key, value]))

/** Names stand in what is required and in the properties of the line itself; what is inside a property is another's. */
function renamedShape(shape: unknown, names: Names): unknown {
  if (Array.isArray(shape)) return shape.map((one) => renamedShape(one, names))
  if (typeof shape !== 'object' || shape === null) return shape
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => {
      if (key === 'required') return [key, (value as string[]).map((name) => names.get(name) ?? name)]
      if (key === 'properties') return [key, renamedKeys(value as Record<string, unknown>, names)]
      return [key, ['anyOf', 'allOf', 'not'].includes(key) ? renamedShape(value, names) : value]
    }),
  )
}

function ownSchema(base: FeedProfile, rules: readonly OwnRule[], names: Names): Shape {
  const properties = { ...shapesOf(base) }
  for (const field of writtenBy(rules)) properties[field] ??= textShape()
  return renamedShape({ ...base.schema, properties }, names) as Shape
}

/** @param base the platform's profile at the version that it names */
export function ownProfile(base: FeedProfile, { name, version, rules }: Omit<OwnProfile, 'platform'>): FeedProfile {
  const names = namesOf(rules)
  const apply = ownLine(rules, shapesOf(base))
  const order = [...base.columns, ...writtenBy(rules).filter((field) => !base.columns.includes(field))]
  const last = (field: string) => names.get(field) ?? field
  const { repeated } = base.table

  /** What the rules write is judged by the schema alone: the product says something else. */
  function shaped(feed: FeedProduct): ReturnType<NonNullable<FeedProfile['shaped']>> {
    const made = { ...base.line(feed) }
    const wrote = apply(made)
    if (wrote === null) return null
    const problems = base.rules.flatMap((rule) => {
      const reason = wrote.has(rule.field) ? null : rule.broken(feed)
      return reason === null ? [] : [{ ...(rule.mends && { mends: rule.mends }), field: last(rule.field), reason }]
    })
    const line: Record<string, unknown> = {}
    for (const field of order) if (Object.hasOwn(made, field)) line[last(field)] = made[field]
    return { line, problems }
  }

  return {
    platform: name,
    version,
    aliases: [],
    native: base.native,
    rules: base.rules.map((rule) => ({ ...rule, field: last(rule.field) })),
    columns: order.map(last),
    table: { ...base.table, ...(repeated && { repeated: renamedKeys(repeated, names) }) },
    xml: {
      ...base.xml,
      ...(base.xml.bare && { bare: base.xml.bare.map(last) }),
      ...(base.xml.attributes && { attributes: ownAttributes(base.xml.attributes, base.xml.item, names) }),
    },
    schema: ownSchema(base, rules, names),
    line: (feed) => shaped(feed)?.line ?? {},
    ...(writesId(base, rules) && { named: last(idOf(base)) }),
    shaped,
  }
}

/** Attributes of the item are fields of the line; those of other elements are inside of one. */
const ownAttributes = (of: NonNullable<FeedProfile['xml']['attributes']>, item: string, names: Names) =>
  Object.fromEntries(
    Object.entries(of).map(([element, keys]) =>
      element === item ? [element, keys.map((key) => names.get(key) ?? key)] : [names.get(element) ?? element, keys],
    ),
  )
