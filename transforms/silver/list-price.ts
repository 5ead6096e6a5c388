/** Tells of a price cell whether it says by a word of its own that it is the maker's recommended price, and gives the rest of it. */

/** What makers' recommended prices are called beside amounts: UVP (de), RRP, MSRP, SRP, MRP (en), PVPR (es), PVPC (pt), PPC (fr), AVP (nl), DMOC (cs), РРЦ and МРЦ (ru). */
const words =
  'uvp|uvpe|upe|rrp|m\\.?s\\.?r\\.?p|srp|mrp|list price|listenpreis|pvpr|pvpc|pvc|ppc|avp|adviesprijs|prix conseillé|' +
  'precio recomendado|preço recomendado|prezzo consigliato|sugerowana cena|doporučená cena|dmoc|ррц|мрц|メーカー希望小売価格|希望小売価格|建议零售价'

const before = new RegExp(`^\\s*(?:${words})(?!\\p{L})\\.?[\\s:=]*(?=\\S)`, 'iu')
const after = new RegExp(`(?<=[^\\p{L}])\\(?(?:${words})\\.?\\)?\\s*$`, 'iu')

const hasWord = /\p{L}{3}|\p{L}\./u

/** @returns the cell without the word; null where there is no such word */
export function listPrice(raw: string): string | null {
  if (!hasWord.test(raw) || raw.length > 64) return null
  const rest = raw.replace(before, '')
  if (rest !== raw) return rest
  const start = raw.replace(after, '')
  return start === raw || !/\d/.test(start) ? null : start
}
