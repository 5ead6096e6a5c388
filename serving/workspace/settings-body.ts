/** Pipeline settings as they go over the wire, whole in both directions, and what they are inside. */
import { z } from 'zod'
import { isField } from '../../schemas/product.ts'
import { dimensions, type Weights } from '../../schemas/score.ts'
import { guardFloor, type PipelineSettings } from '../../schemas/settings.ts'
import type { ColumnMapping } from '../../transforms/bronze/mapping-of.ts'
import { normaliseWeights } from '../../transforms/gold/reweight.ts'
import { columnConflict } from '../../transforms/silver/column-conflict.ts'
import { columnName } from '../../transforms/silver/column-name.ts'
import { exponent } from '../../transforms/silver/currency.ts'

const field = z
  .string()
  .max(100)
  .refine(isField, { error: ({ input }) => `${JSON.stringify(input)} is no field that a column can be mapped to` })

/** Column to field. Two columns for a field that takes one are refused, naming both (KF-05). */
const mapping = z.record(z.string().min(1).max(500), field).superRefine((columns, context) => {
  if (Object.keys(columns).length > 1_000) context.addIssue({ code: 'custom', message: 'at most 1,000 columns' })
  const written = new Map<string, string>()
  for (const column of Object.keys(columns)) {
    const name = columnName(column)
    const other = written.get(name)
    if (name === '') context.addIssue({ code: 'custom', path: [column], message: 'a column has a name' })
    else if (other === undefined) written.set(name, column)
    else {
      const message = `${JSON.stringify(other)} and ${JSON.stringify(column)} are one column`
      context.addIssue({ code: 'custom', path: [column], message })
    }
  }
  const conflict = columnConflict(columns)
  if (conflict) context.addIssue({ code: 'custom', path: [conflict.columns[1]], message: conflict.says })
})

/** A file source is said by the name that its imports have in `source=`; others have a colon in theirs, or are `url`. */
const sourceOf = (name: string) => (name.includes(':') || name === 'url' ? name : `file:${name}`)
const nameOf = (source: string) => {
  const name = source.replace(/^file:/, '')
  return sourceOf(name) === source ? name : source
}

const placeholders = new Set(['sku', 'id', 'handle'])
const template = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s/]/i, 'an address that begins with http:// or https://')
  .refine((text) => [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name = '']) => placeholders.has(name)), {
    error: 'only {sku}, {id} and {handle} can stand in it',
  })

const weight = z.number().min(0)
const weights = z.strictObject(
  Object.fromEntries(dimensions.map((name) => [name, weight])) as Record<(typeof dimensions)[number], typeof weight>,
)

/** Names with `>` between them, however they are spaced. */
const pathName = (path: string) =>
  path
    .split('>')
    .map((name) => name.trim())
    .join(' > ')

/** Google's own form is an id or a full path; whether its taxonomy has it can be told only where there is one. */
const googleCategory = z
  .string()
  .regex(
    /^(?:\d{1,6}|\S.* > .*\S)$/,
    'an id of Google\'s taxonomy, as 2169, or a full path with " > " between its levels',
  )
  .max(750)

const known = (ask: () => unknown) => {
  try {
    ask()
    return true
  } catch {
    return false
  }
}

export const weightsBody = weights.refine(
  (given) => Object.values(given).some((one) => one > 0),
  'all are zero; at least one must count',
)

const content = {
  mappings: z.strictObject({
    every_source: mapping,
    by_source: z
      .record(z.string().min(1).max(500), mapping)
      .refine((sources) => Object.keys(sources).length <= 200, 'at most 200 sources')
      .refine((sources) => !Object.hasOwn(sources, 'api'), 'edits through the API have our own field names')
      .refine((sources) => new Set(Object.keys(sources).map(sourceOf)).size === Object.keys(sources).length, {
        error: 'one source stands in it twice',
      }),
  }),
  weights: weightsBody,
  auto_silver: z.boolean(),
  auto_gold: z.boolean(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'a currency is a three-letter code of ISO 4217')
    .refine((code) => exponent(code) !== null, 'no currency of ISO 4217 has this code')
    .nullable(),
  decimal_separator: z.enum(['.', ',']).nullable(),
  locale: z
    .string()
    .min(1)
    .max(100)
    .refine((tag) => known(() => Intl.getCanonicalLocales(tag)), 'no language tag, as en or pt-BR'),
  time_zone: z
    .string()
    .min(1)
    .max(100)
    .refine((timeZone) => known(() => new Intl.DateTimeFormat('en', { timeZone })), 'no time zone, as Europe/Berlin'),
  link_template: template.nullable(),
  default_condition: z.enum(['new', 'refurbished', 'used']).nullable(),
  category_map: z
    .record(z.string().min(1).max(2_000), googleCategory)
    .refine((map) => Object.keys(map).length <= 5_000, 'at most 5,000 categories')
    .refine(
      (map) => new Set(Object.keys(map).map(pathName)).size === Object.keys(map).length,
      'one category stands in it twice',
    )
    .default({})
    .describe("Google's category by the shop's path with ` > ` between its levels; it fills what no source gives."),
  auto_publish: z.enum(['off', 'after_gold']),
  mass_change_guard: z
    .number()
    .min(0)
    .max(1)
    .describe(
      `The share of a catalog's products that an import may change or remove unasked. Fewer than ${guardFloor} products are not asked about, but at 0, or where a snapshot leaves its source nothing; 1 switches the guard off.`,
    ),
  check_images: z
    .enum(['off', 'after_import'])
    .default('off')
    .describe(
      'after_import: when an import is completed, the images of its catalog that are new, or were checked long ago, are fetched from their hosts.',
    ),
}

export const settingsBody = z.strictObject(content)
export type SettingsBody = z.infer<typeof settingsBody>

export function fromBody(body: SettingsBody): { settings: Omit<PipelineSettings, 'number'>; weights: number[] } {
  return {
    settings: {
      mappings: mapped(renamed(body.mappings.by_source as Record<string, ColumnMapping>, sourceOf)),
      everySource: asRead(body.mappings.every_source as ColumnMapping),
      currency: body.currency,
      decimal: body.decimal_separator,
      linkTemplate: body.link_template,
      condition: body.default_condition,
      categories: Object.fromEntries(
        Object.entries(body.category_map).map(([path, google]) => [pathName(path), google]),
      ),
      autoSilver: body.auto_silver,
      autoGold: body.auto_gold,
      locale: body.locale,
      timeZone: body.time_zone,
      autoPublish: body.auto_publish,
      guardShare: body.mass_change_guard,
      checkImages: body.check_images,
    },
    weights: normaliseWeights(dimensions.map((name) => body.weights[name])),
  }
}

/** Readers trim the names of columns: one that is written with space around would stand for none of theirs. */
const asRead = (columns: ColumnMapping): ColumnMapping =>
  Object.fromEntries(Object.entries(columns).map(([column, field]) => [columnName(column), field]))
const mapped = (sources: Readonly<Record<string, ColumnMapping>>) =>
  Object.fromEntries(Object.entries(sources).map(([source, columns]) => [source, asRead(columns)]))

/** Weights are shown as they count: of ten thousand. */
export function toBody(settings: PipelineSettings, weights: Weights): SettingsBody {
  return {
    mappings: { every_source: { ...settings.everySource }, by_source: renamed(settings.mappings, nameOf) },
    weights: Object.fromEntries(
      dimensions.map((name, place) => [name, weights[place] ?? 0]),
    ) as SettingsBody['weights'],
    auto_silver: settings.autoSilver,
    auto_gold: settings.autoGold,
    currency: settings.currency,
    decimal_separator: settings.decimal,
    locale: settings.locale,
    time_zone: settings.timeZone,
    link_template: settings.linkTemplate,
    default_condition: settings.condition,
    category_map: { ...settings.categories },
    auto_publish: settings.autoPublish,
    mass_change_guard: settings.guardShare,
    check_images: settings.checkImages,
  }
}

const renamed = (mappings: PipelineSettings['mappings'], name: (source: string) => string) =>
  Object.fromEntries(Object.entries(mappings).map(([source, columns]) => [name(source), { ...columns }]))
