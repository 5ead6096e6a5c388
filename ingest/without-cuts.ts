/** Leaves texts out that a feed of ours has cut: the product says the whole of them, so that reading its feed back is no edit. */

import { cutText } from '../schemas/feeds/cut-text.ts'
import { textCuts } from '../schemas/feeds/text-cuts.ts'
import type { ImportContext } from '../schemas/pipeline.ts'
import { fold, platformOf } from '../transforms/silver/known-names.ts'
import type { PresentProduct } from './edit-rows.ts'
import type { Resolution } from './identity.ts'

type Present = (ids: readonly string[]) => Promise<ReadonlyMap<string, PresentProduct>>
type Cut = keyof typeof textCuts

export const isFeed = (header: readonly string[]): boolean =>
  feedDialects.includes(platformOf(new Set(header.map(fold)))?.dialect.platform ?? '')

/** Where a reader sees one character end, a cut is a few code points shorter. */
const slack = 20

/** Dialects in which Google, Meta, Pinterest, TikTok, Microsoft and OpenAI are written. */
const feedDialects: readonly string[] = ['google', 'openai']

const mayBeCut = (field: Cut, text: string) =>
  textCuts[field].some((limit) => text.length <= 2 * limit && text.length >= limit - slack)

/**
 * Only products that have such a text are looked up: few files have any.
 */
export function withoutCuts(
  { mapping }: Pick<ImportContext, 'mapping'>,
  present: Present,
): (resolution: Resolution) => Promise<Resolution> {
  const columns = Object.entries(mapping).flatMap(([column, { field }]) =>
    field in textCuts ? [[column, field as Cut] as const] : [],
  )
  const cutsOf = (cells: Readonly<Record<string, unknown>>) =>
    columns.filter(([column, field]) => {
      const text = cells[column]
      return typeof text === 'string' && mayBeCut(field, text)
    })
  return async (resolution) => {
    const asked = resolution.found.filter(({ product, fresh, candidate }) => {
      return product !== null && !fresh && cutsOf(candidate.cells).length > 0
    })
    if (asked.length === 0) return resolution
    const there = await present(asked.map(({ product }) => product ?? ''))
    const found = resolution.found.map((one) => {
      const whole = there.get(one.product ?? '')
      if (!whole) return one
      const cells = { ...one.candidate.cells }
      for (const [column, field] of cutsOf(cells))
        if (isCutOf(String(cells[column]), whole.product[field], field)) delete cells[column]
      return { ...one, candidate: { ...one.candidate, cells } }
    })
    return { ...resolution, found }
  }
}

const isCutOf = (text: string, whole: string | null, field: Cut): boolean =>
  whole !== null &&
  whole.length > text.length &&
  textCuts[field].some((limit) => cutText(whole, limit).trim() === text.trim())
