/** Yandex's offers of the type `vendor.model` have no name: it is the prefix, the vendor and the model. */
import type { Cells } from './flatten.ts'

export function yandexName() {
  let made = 0
  return {
    complete(cells: Cells) {
      const of = (column: string) => [cells.get(column) ?? ''].flat()[0]?.trim() ?? ''
      // A vendor alone names no product.
      if (of('name') !== '' || of('model') === '') return
      made++
      cells.set('name', ['typePrefix', 'vendor', 'model'].map(of).filter(Boolean).join(' '))
    },
    notes: () => (made === 0 ? [] : [`${made} offers have no name; it is made of their typePrefix, vendor and model`]),
  }
}
