/** Refuses a table almost all of whose rows are faults: millions of refused rows tell nobody more than the first of them. */
import { TableError } from '../table-error.ts'
import { placeWord } from './place-word.ts'
import type { Opened, Table, TableRow } from './table.ts'

/** So many are told one by one, whatever the others are. */
const mostFaults = 100_000
/** Of rows that can be read, beyond those. */
const leastGood = 0.01

/** @throws TableError while its rows are read, before more of them are */
export function refusingFaults<T extends Pick<Opened, 'rows'> & Pick<Table, 'kind'>>(table: T): T {
  return {
    ...table,
    async *rows() {
      let rows = 0
      let faults = 0
      let first: TableRow | undefined
      for await (const batch of table.rows()) {
        for (const row of batch) {
          rows++
          if (!row.fault) continue
          first ??= row
          if (++faults > mostFaults && rows - faults < leastGood * rows) throw refusal(rows, faults, first, table.kind)
        }
        yield batch
      }
    },
  }
}

const refusal = (rows: number, faults: number, { line, fault }: TableRow, kind: Table['kind']) =>
  new TableError(
    'not_a_table',
    `Of the first ${rows} rows ${faults} cannot be read, so the file is refused as a whole; correct it from ${placeWord(kind).toLowerCase()} ${line} on. ${fault?.says}`,
  )
