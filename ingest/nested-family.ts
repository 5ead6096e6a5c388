/** The family rule of files whose products hold their variants, as JSON and XML do: the variants' columns have the name of that list before theirs. */
import { foldName } from '../transforms/silver/fold-name.ts'
import type { FamilyRule } from './family-rules.ts'
import { nestedOptions, optionNamed } from './nested-options.ts'
import { keyColumns } from './readers/nested/family-key.ts'
import { nestings } from './readers/nested/nestings.ts'

/** Per platform, columns of a variant that say better what a column of its family says. */
const betterOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  acp: {
    'variants.title': 'title',
    'variants.description.plain': 'description.plain',
    'variants.url': 'url',
    'variants.media.url': 'media.url',
  },
}

/** @returns null where no column says which rows are one family */
export function nestedRule(header: readonly string[], platform: string): FamilyRule | null {
  const key = nestings.find(({ variants }) => header.some((column) => column.startsWith(`${variants}.`)))?.variants
  const keys = keyColumns(header)
  const [best] = keys
  if (key === undefined || best === undefined) return null
  const prefix = `${key}.`
  const own = header.filter((column) => column.startsWith(prefix))
  const ofVariants = new Set([...own, ...header.filter((column) => foldName(column) === 'sku')])
  const optionsOf = nestedOptions(prefix, own)
  const better = betterOf[platform]
  return {
    platform,
    columns: [best],
    shared: (column) => !ofVariants.has(column),
    lists: [],
    keyIsSku: () => foldName(best) === 'sku',
    optionName: (place, head) => (/^\d$/.test(place) ? optionNamed(Number(place), head) : place),
    ...(better ? { better } : {}),
    read(cell) {
      const value = keys.map((name) => cell(name).trim()).find((text) => text !== '')
      if (value === undefined || own.every((column) => cell(column).trim() === ''))
        return { role: 'alone', key: '', options: {} }
      return { role: 'member', key: value, options: optionsOf(cell) }
    },
  }
}
