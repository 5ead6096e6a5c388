/** The categories of a feed as the elements of a list: each with its number, and that of the one above it. */
import { categoryNumber } from '../../../schemas/feeds/category-number.ts'
import { escaped } from './escaped.ts'

/** @param paths from the widest level on; a level that several paths share stands once */
export function categoryElements(paths: Iterable<readonly string[]>): string {
  const written = new Set<string>()
  let text = ''
  for (const path of paths) {
    for (let levels = 1; levels <= path.length; levels++) {
      const number = categoryNumber(path.slice(0, levels))
      if (written.has(number)) continue
      written.add(number)
      const above = levels > 1 ? ` parentId="${categoryNumber(path.slice(0, levels - 1))}"` : ''
      text += `<category id="${number}"${above}>${escaped(path[levels - 1] ?? '')}</category>\n`
    }
  }
  return text
}
