/** Takes off an amount what is said beside it of tax that it includes, and behind it of shipping that it does not: neither changes what is asked. */

/** The tax itself, with its rate or without. */
const tax =
  '(?:\\d{1,2}(?:[.,]\\d)?\\s*%\\s*)?(?:mwst|ust|umsatzsteuer|mehrwertsteuer|steuern?|vat|gst|hst|sales tax|tax|taxes|tva|i\\.?v\\.?a|btw|dph|moms|mva|ндс|пдв|impuestos|taxe?s)\\.?'
const included = [
  'toutes taxes comprises',
  `(?:inkl|incl|inc|including|inclusive|inclusief|inklusive|incluye|vč|včetně|s|z|с|вкл|включая|w tym|toutes|con|com|avec)\\.?\\s*(?:of\\s+)?(?:der\\s+)?${tax}`,
  `${tax}\\s*(?:inkl|incl|inc|included|inclu[ií]d[oa]s?|incluse?s?|inclus[oa]|comprises?|compres[oae]|inbegrepen|wliczony|включ[её]н[аоы]?)\\.?`,
  't\\.?t\\.?c\\.?',
  'ivat[oa]',
].join('|')
/** Written without a space beside an amount. */
const joined = '(?:消費)?税込み?(?:価格)?|内税|含[税稅]'
/** That tax is in it; of a weight it would mean the package, and of things a dozen dozens. */
const gross = 'brutto|gross|lordo'
const shipping =
  '(?:zzgl|plus|excl|exkl|\\+|hors|più|más|exclusief)\\.?\\s*(?:versand(?:kosten)?|shipping|porto|frais de port|spedizione|envío|verzendkosten|frakt)'
const anyTax = (words: string) => `(?:${included}|${joined}${words})`
const behind = (words: string) =>
  new RegExp(`(?:[\\s,;(（\\[]+(?:${anyTax(words)}|${shipping})|(?:${joined}))\\.?[)）\\]]?\\s*$`, 'iu')
const before = (words: string) =>
  new RegExp(`^\\s*[(（\\[]?${anyTax(words)}(?!\\p{L})\\.?[)）\\]]?\\s*[:：]?\\s*`, 'iu')
const ofMoney = { behind: behind(`|${gross}`), before: before(`|${gross}`) }
const ofAny = { behind: behind(''), before: before('') }
/** One of these is in all of the above: most cells have none, and are left at once. */
const quick =
  /ust|mwst|steuer|vat|[gh]st|tax|tva|i\.?v\.?a|btw|dph|moms|mva|ндс|пдв|impuestos|t\.?t\.?c|ivat|[税稅]|brutto|gross|lordo|versand|shipping|porto|frais|spedizione|envío|verzend|frakt/iu

/** @param isMoney its words may say that it is gross @returns the text as it was where it says nothing of the kind */
export function withoutTaxWords(raw: string, isMoney: boolean): string {
  if (!quick.test(raw)) return raw
  const { behind, before } = isMoney ? ofMoney : ofAny
  // One word of each kind: "inkl. MwSt. zzgl. Versand".
  return raw.replace(behind, '').replace(behind, '').replace(before, '')
}
