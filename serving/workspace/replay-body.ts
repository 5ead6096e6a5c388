/** What a replay is asked for: which records choose the products, what the shadow is made with, and how much of the machine it may take. */
import { z } from 'zod'
import { brandId, catalogId, importId, productId } from '../../schemas/ids.ts'
import { instant } from '../../schemas/instant.ts'
import type { ShadowSettings } from '../../schemas/settings.ts'
import type { ReplayRange } from '../../transforms/replay/range.ts'
import { fromBody, type SettingsBody, settingsBody, toBody } from './settings-body.ts'

const offset = z.int().min(0)
const stretch = z
  .strictObject({
    epoch: z
      .int()
      .min(1)
      .optional()
      .describe('Of the log, where it was moved since; the present one unless it is said.'),
    partition: z.int().min(0).max(100_000),
    from: offset.default(0),
    to: offset.optional(),
  })
  .refine(({ from, to }) => to === undefined || from < to, { message: 'from must be less than to', path: ['from'] })

const range = z
  .strictObject({
    offsets: z.array(stretch).min(1).max(1_000).optional(),
    from: instant.optional(),
    to: instant.optional(),
    import_id: importId.optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
    message: 'from must be before to',
    path: ['from'],
  })
  .describe('Records of the log, of which all must hold. Whatever is left out: the whole log.')

/** What silver reads, and the weights; the rest of the settings moves no product. */
const shape = settingsBody.shape
const settings = z
  .strictObject({
    mappings: shape.mappings,
    weights: shape.weights,
    currency: shape.currency,
    decimal_separator: shape.decimal_separator,
    locale: shape.locale,
    time_zone: shape.time_zone,
    link_template: shape.link_template,
    default_condition: shape.default_condition,
    category_map: shape.category_map.unwrap(),
  })
  .partial()
  .describe("In place of the workspace's own; what is left out stays as it is.")

const half = 0.5

export const replayBody = z
  .strictObject({
    catalog_id: catalogId.optional(),
    brand_id: brandId.optional(),
    range: range.optional(),
    product_ids: z.array(productId).min(1).max(10_000).optional(),
    settings: settings.optional(),
    rate: z.int().min(1).max(1_000_000).optional().describe('Products a second at most.'),
    share: z
      .number()
      .min(0.01)
      .max(1)
      .default(half)
      .describe('Of the time of one core, while others are at work; alone it takes what there is.'),
    notify_email: z.boolean().optional(),
  })
  .nullish()
type ReplayBody = NonNullable<z.infer<typeof replayBody>>

export const toRange = ({
  range: given,
  product_ids: keys,
}: Pick<ReplayBody, 'range' | 'product_ids'>): ReplayRange => ({
  offsets: given?.offsets?.map(({ to, ...stretch }) => ({ ...stretch, to: to ?? Number.MAX_SAFE_INTEGER })) ?? null,
  since: given?.from ?? null,
  until: given?.to ?? null,
  import: given?.import_id ?? null,
  keys: keys ?? null,
})

/** The workspace's settings with what is given in their place. */
export const underGiven =
  (given: ReplayBody['settings']) =>
  (present: ShadowSettings): ShadowSettings => {
    if (given === undefined) return present
    const now = toBody({ ...present.settings, number: 0 }, present.weights)
    const { settings: next, weights } = fromBody({ ...now, ...(given as Partial<SettingsBody>) })
    // As it was, what nobody asked to be another: its spelling is no change.
    return { settings: next, weights: given.weights === undefined ? present.weights : weights }
  }
