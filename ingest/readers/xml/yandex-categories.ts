/** Yandex's categories stand before the offers, each with its parent; an offer names one by its number. */
import { TableError } from '../../table-error.ts'
import { type Element, textOf } from './element.ts'
import type { Cells } from './flatten.ts'

interface Category {
  readonly name: string
  readonly parent: string
}

/** They are held while the offers are read. */
const mostCharacters = 2 ** 24

export function yandexCategories() {
  const categories = new Map<string, Category>()
  let held = 0
  let undeclared = 0
  return {
    path: '/yml_catalog/shop/categories/category',
    learn(element: Element) {
      const of = (name: string) => element.attributes.find(([key]) => key === name)?.[1].trim() ?? ''
      const name = textOf(element).trim()
      held += name.length + 64
      if (held > mostCharacters)
        throw new TableError('too_large', 'The categories have more than 16 million characters; send fewer of them')
      categories.set(of('id'), { name, parent: of('parentId') })
    },
    complete(cells: Cells) {
      const ids = [cells.get('categoryId') ?? []].flat().map((id) => id.trim())
      const given = ids.filter((id) => id !== '')
      const id = given.find((one) => categories.has(one))
      if (id === undefined) {
        if (given.length > 0) undeclared++
        return
      }
      if (!cells.has('category')) cells.set('category', pathOf(categories, id).join(' > '))
    },
    notes: () =>
      undeclared === 0 ? [] : [`${undeclared} offers are in categories that the file does not declare before them`],
  }
}

/** From the root down; a category that is its own ancestor ends the path. */
function pathOf(categories: ReadonlyMap<string, Category>, id: string): string[] {
  const seen = new Set<string>()
  const names: string[] = []
  for (let at = id; categories.has(at) && !seen.has(at); ) {
    seen.add(at)
    const { name, parent } = categories.get(at) as Category
    if (name !== '') names.unshift(name)
    at = parent
  }
  return names
}
