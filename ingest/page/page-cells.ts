/** What a page says of its product, as the cells of a record: our own field names, and no character that was lost in reading. */
import type { CellValue } from '../../schemas/pipeline.ts'
import type { PageNote } from './claims.ts'
import type { PageReading } from './read-page.ts'

/** A text that is longer is no value of a product. */
const mostCharacters = 100_000
const mostImages = 200

export interface PageCells {
  readonly cells: Readonly<Record<string, CellValue>>
  readonly notes: readonly PageNote[]
}

export function pageCells({ fields }: Pick<PageReading, 'fields'>): PageCells {
  const cells: Record<string, CellValue> = {}
  const notes: PageNote[] = []
  for (const [field, { value }] of Object.entries(fields)) {
    const texts = (typeof value === 'string' ? [value] : value).map(storable)
    const whole = texts.filter((text) => !text.includes('\uFFFD'))
    if (whole.length < texts.length)
      notes.push({
        code: 'lost_characters',
        says: `The ${field} has characters that its encoding lost; it is left out`,
      })
    if (whole.length > 0) cells[field] = typeof value === 'string' ? (whole[0] ?? '') : whole.slice(0, mostImages)
  }
  return { cells, notes }
}

/** U+0000 and half characters can be kept nowhere. */
const storable = (text: string) => text.slice(0, mostCharacters).replaceAll('\u0000', '').toWellFormed()
