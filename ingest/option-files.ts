/** Files that have the options of products which another file of the same shop tells: one rule a platform, as data. */
import type { Candidate } from './candidate.ts'
import type { FamilyRule } from './family-rules.ts'
import { type Identifiers, unit } from './identifiers.ts'

export interface OptionFileRule extends FamilyRule {
  /** The platform whose file of products tells the rest. */
  readonly of: string
  /** The column that names the product whose options the rows are, as that file does in the column of its own ids. */
  readonly ownerColumn: string
}

/** How Rakuten's file names the two axes by which buyers choose; what they mean in a shop stands in the file of products. */
const axes = [
  ['横軸', '項目選択肢別在庫用横軸選択肢'],
  ['縦軸', '項目選択肢別在庫用縦軸選択肢'],
] as const

const rakuten: OptionFileRule = {
  platform: 'rakuten options',
  of: 'rakuten',
  ownerColumn: '商品管理番号（商品URL）',
  columns: ['商品管理番号（商品URL）', '項目選択肢別在庫用横軸選択肢', '項目選択肢別在庫用在庫数'],
  shared: () => false,
  lists: [],
  keyIsSku: () => false,
  read(cell) {
    const key = cell('商品管理番号（商品URL）').trim()
    if (key === '') return { role: 'alone', key, options: {} }
    const options: Record<string, string> = {}
    for (const [name, column] of axes) {
      const value = cell(column).trim()
      if (value !== '') options[name] = value
    }
    // Rows of the types s and c are questions that go with an order; they tell no variants apart.
    return { role: Object.keys(options).length > 0 ? 'member' : 'more', key, options }
  },
}

export const optionFileRules: readonly OptionFileRule[] = [rakuten]

export const isOptionFile = (rule: FamilyRule): rule is OptionFileRule => 'ownerColumn' in rule

/** Whether a file with this header has options only. */
export const hasOptionsOnly = (header: readonly string[]): boolean =>
  optionFileRules.some(({ columns }) => columns.every((column) => header.includes(column)))

const owners = new Set(optionFileRules.map(({ of }) => of))

/**
 * By what the files of one shop know the owner of options: its number there, with the platform. A file of products claims it:
 * one of another shop in the same catalog, which numbers its products alike, takes none of them over.
 */
export function ownerOf(platform: string | undefined, id: string | null, claims: boolean): Pick<Identifiers, 'owner'> {
  if (platform === undefined || id === null || !owners.has(platform)) return {}
  return { owner: { text: `${platform}${unit}${id}`, claims } }
}

/** The options of one product; the product itself is told by its key alone, and is a single as far as this file knows where it has no options. */
export function ownerCandidate(
  rule: OptionFileRule,
  key: string,
  rows: readonly number[],
  hasOptions: boolean,
  ids: (cells: Candidate['cells']) => Identifiers,
): Omit<Candidate, 'seq'> {
  const cells = { [rule.ownerColumn]: key }
  const found = ids(cells)
  return { rows, kind: hasOptions ? 'parent' : 'single', cells, ids: { ...found, ...ownerOf(rule.of, key, false) } }
}
