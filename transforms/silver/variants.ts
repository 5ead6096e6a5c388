/** Reads the options that tell a variant from its siblings, and the attributes that they stand for. */
import type { FieldCell } from '../../schemas/pipeline.ts'
import { quote } from './quote.ts'
import { doubts, type Reading, textOf } from './reading.ts'
import { readTitle } from './text.ts'
import { wordTable } from './words.ts'

type Options = Readonly<Record<string, string>>
export type OptionField = 'color' | 'size' | 'material' | 'pattern'

export const noOptions: Options = Object.freeze({})

const namesOf: Readonly<Record<OptionField, string>> = {
  color:
    'colour|colors|colours|farbe|farben|couleur|coloris|color del producto|colore|cor|cores|kleur|kolor|barva|цвет|カラー|色|颜色|colour name|color name|färg|farve|väri|renk|اللون',
  size: 'sizes|shoe size|größe|grösse|groesse|schuhgröße|taille|pointure|talla|tallas|tamaño|taglia|misura|tamanho|maat|rozmiar|velikost|размер|サイズ|尺码|尺寸|storlek|størrelse|koko|beden|size name',
  material:
    'materials|fabric|material type|matière|matériau|materiale|tessuto|materiaal|materiał|materiál|материал|素材|材質|材质',
  pattern: 'muster|motif|estampado|fantasia|padrão|patroon|wzór|vzor|узор|рисунок|柄|图案|print|design',
}
const fieldOf = wordTable(namesOf)

/** Option names that stand for an attribute, in small letters. */
export const optionNames: readonly string[] = Object.entries(namesOf).flatMap(([field, names]) => [
  field,
  ...names.split('|'),
])

/** The attribute that an option of this name stands for, in any language we have met. */
export const optionField = (name: string): OptionField | undefined => fieldOf(name)

/** Shopify's name for a product without options. */
const isDefault = (name: string, value: string) => name === 'Title' && value === 'Default Title'

/** A JSON object of option name to value, as the reader gathers it. */
export function readOptions(cell: FieldCell): Reading<Options> & { readonly value: Options } {
  const raw = textOf(cell)
  const given = jsonObject(raw)
  if (!given) {
    const says = `${quote(raw)} are no options; write a JSON object such as {"Color":"Red"}`
    return { value: noOptions, findings: doubts('options_unreadable', says).findings }
  }
  const entries = Object.entries(given).flatMap(([name, value]) => {
    const label = readTitle(name)
    const text = typeof value === 'string' || typeof value === 'number' ? readTitle(String(value)) : null
    return label !== null && text !== null && !isDefault(label, text) ? [[label, text] as const] : []
  })
  return { value: entries.length > 0 ? Object.fromEntries(entries) : noOptions, findings: [] }
}

/** What an option named for an attribute says of it, in whatever language it is named. */
export function optionFor(options: Options, field: OptionField): string | null {
  for (const name in options) if (fieldOf(name) === field) return options[name] ?? null
  return null
}

/** @returns null for what is no JSON object */
export function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
