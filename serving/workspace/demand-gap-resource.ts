/** A field that was asked for and is lacking, as it is told: the sentence, its numbers, products, and what would mend it. */
import { z } from 'zod'
import type { LackingProduct } from '../../infra/catalog/lacking-queries.ts'
import type { Weights } from '../../schemas/score.ts'
import type { LostDemand } from '../../transforms/demand/rank-lost.ts'
import { gapFields } from '../../transforms/gold/gains.ts'
import { pointsOfField } from '../../transforms/gold/points-of-field.ts'
import { exampleIds } from './examples.ts'

export const demandGapResource = z.object({
  /** A field of products, else an attribute as it was asked for. */
  field: z.string(),
  says: z.string(),
  /** Events that asked for it, in all and by how they did. */
  times: z.int(),
  filtered: z.int(),
  called: z.int(),
  notFound: z.int(),
  cancelled: z.int(),
  /** Of the products that were meant; 0 to 1. */
  share: z.number(),
  lost: z.number(),
  /** Where most of it is lost: the words beside it, and the products that match these. */
  most: z.object({ query: z.string().nullable(), matching: z.int(), lacking: z.int() }),
  examples: z.array(z.object({ productId: z.uuid(), sku: z.string().nullable(), title: z.string().nullable() })),
  fix: z.object({
    says: z.string(),
    /** Whether it brings points too: see `…/catalogs/{catalogId}/gaps`. */
    isGraded: z.boolean(),
    /** Of 100, that a product with all else would gain by it, under the workspace’s weights; 0 where it is not graded. */
    points: z.number(),
  }),
})

const rounded = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places

/** @param weights of the workspace */
export function toDemandGap(
  { asked, times, by, share, lost, most, examples }: LostDemand & { readonly examples: readonly LackingProduct[] },
  says: string,
  weights: Weights,
): z.infer<typeof demandGapResource> {
  const points = asked.field === null ? 0 : pointsOfField(asked.field, weights)
  return {
    ...{ field: asked.name, says, times },
    ...{ filtered: by.filter, called: by.argument, notFound: by.query, cancelled: by.cancelled },
    ...{ share: rounded(share, 4), lost: rounded(lost, 1) },
    most: {
      query: most.words.length > 0 ? most.words.join(' ') : null,
      matching: most.matching,
      lacking: most.lacking,
    },
    examples: examples.map(({ id, sku, title }) => ({ productId: id, sku, title })),
    fix: {
      says:
        asked.field === null
          ? `No field of ours is meant: give these products an attribute named ${asked.name}, by PATCH …/catalog/products/{productId} or in a file’s column of attributes as JSON.`
          : `Fill ${asked.field} of these products: map a column to it in …/settings/pipeline, import a file that has it, or PATCH …/catalog/products/{productId}.${points > 0 ? ` It brings a product up to ${points} points.` : ''}`,
      isGraded: asked.field !== null && gapFields.includes(asked.field),
      points,
    },
  }
}

export const exampleDemandGap: z.infer<typeof demandGapResource> = {
  ...{ field: 'material', says: 'Filtered by material 4,100 times; 61 % of matching products lack it', times: 4100 },
  ...{ filtered: 4100, called: 0, notFound: 0, cancelled: 0, share: 0.61, lost: 2501 },
  most: { query: 'oak shelf', matching: 120, lacking: 80 },
  examples: [{ productId: exampleIds.productId, sku: 'SHELF-1', title: 'Shelf' }],
  fix: {
    says: 'Fill material of these products: map a column to it in …/settings/pipeline, import a file that has it, or PATCH …/catalog/products/{productId}. It brings a product up to 1.8 points.',
    isGraded: true,
    points: 1.8,
  },
}
