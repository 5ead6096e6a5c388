/** XML as tests read it: the whole table of a text, cut at any places. */
import { openXml } from '../../../../ingest/readers/xml/open-xml.ts'
import type { CellValue } from '../../../../schemas/pipeline.ts'
import { inPieces } from '../../in-pieces.ts'

export interface ReadXml {
  readonly notes: readonly string[]
  /** Each row by column, blank cells left out. */
  readonly products: readonly Readonly<Record<string, CellValue>>[]
  readonly places: readonly (readonly [row: number, line: number])[]
}

export async function readXml(text: string, cuts: readonly number[] = []): Promise<ReadXml> {
  const { header, notes, rows } = await openXml(() => inPieces(text, cuts))
  const products: Record<string, CellValue>[] = []
  const places: (readonly [number, number])[] = []
  for await (const batch of rows())
    for (const { row, line, cells } of batch) {
      products.push(
        Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ''] as const).filter(([, cell]) => cell !== '')),
      )
      places.push([row, line])
    }
  return { notes, products, places }
}
