/** Tells cells that say nothing: no character at all, or only Unicode space and byte-order marks. */
import type { CellValue } from '../../schemas/pipeline.ts'

const onlySpace = /^[\p{White_Space}\ufeff]*$/u

export function isBlank(cell: CellValue): boolean {
  if (typeof cell !== 'string') return cell.every(isBlank)
  if (cell === '') return true
  const first = cell.charCodeAt(0)
  return first > 0x20 && first < 0x7f ? false : onlySpace.test(cell)
}
