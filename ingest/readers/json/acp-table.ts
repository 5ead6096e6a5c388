/** Reads a table of the Agentic Commerce Protocol's products, whose cells hold JSON, as the lines of JSON that it was made of. */
import { beginning } from '../beginning.ts'
import { isBlank } from '../blank.ts'
import type { Table, TableRow } from '../table.ts'
import { acpKeys, isAcpProduct } from './acp.ts'
import { openProducts } from './open-json.ts'
import type { Cut } from './walk.ts'

const texts: ReadonlySet<string> = new Set(['id', 'title', 'url'])

/** @returns the table itself where it is anything else, by its header and its first rows */
export async function openAcpTable(table: Table): Promise<Table> {
  const { header, notes } = table
  if (!['id', 'variants'].every((key) => header.includes(key)) || !header.every((key) => acpKeys.has(key))) return table
  if (!(await beginsAsAcp(table))) return table
  async function* cuts(): AsyncGenerator<Cut[]> {
    for await (const rows of table.rows()) yield rows.map((row) => toCut(header, row))
  }
  const products = await openProducts(cuts, [
    ...notes,
    'each row is a product of the Agentic Commerce Protocol, as JSON',
  ])
  return { ...table, ...products }
}

async function beginsAsAcp({ header, rows }: Table): Promise<boolean> {
  for await (const batch of rows()) {
    const read = batch.filter(({ fault }) => !fault).map((row) => parsed(textOf(header, row)))
    if (read.length > 0) return read.every(isAcpProduct)
  }
  return false
}

function toCut(header: readonly string[], row: TableRow): Cut {
  const { line, fault } = row
  if (fault)
    return { line, text: fault.raw ?? beginning(row.cells.flat().join(' ')), fault: `Line ${line}: ${fault.says}` }
  return { line, text: textOf(header, row) }
}

/** What is no JSON stays out of it as it stands, and rejects its row. */
const textOf = (header: readonly string[], { cells }: TableRow): string =>
  `{${header
    .flatMap((key, at) => {
      const cell = [cells[at] ?? ''].flat().join('')
      return isBlank(cell) ? [] : [`${JSON.stringify(key)}:${texts.has(key) ? JSON.stringify(cell) : cell}`]
    })
    .join()}}`

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
