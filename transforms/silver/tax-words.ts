/** Takes off an amount what is said behind it of tax that it includes and of shipping that it does not: neither changes what is asked. */

/** The tax itself, with its rate or without. */
const tax =
  '(?:\\d{1,2}(?:[.,]\\d)?\\s*%\\s*)?(?:mwst|ust|umsatzsteuer|mehrwertsteuer|steuern?|vat|gst|hst|sales tax|tax|taxes|tva|i\\.?v\\.?a|btw|dph|moms|mva|ндс|пдв|impuestos|taxe?s)\\.?'
const included = [
  `(?:inkl|incl|inc|including|inclusive|inclusief|inklusive|incluye|vč|včetně|s|z|с|вкл|включая|w tym|toutes|con|com|avec)\\.?\\s*(?:of\\s+)?(?:der\\s+)?${tax}`,
  `${tax}\\s*(?:inkl|incl|inc|included|incluid[oa]s?|inclus[oae]?|inclusa|comprise?|compresa)\\.?`,
  't\\.?t\\.?c\\.?',
  '税込み?|含税|税込価格',
].join('|')
const shipping =
  '(?:zzgl|plus|excl|exkl|\\+|hors|più|más|exclusief)\\.?\\s*(?:versand(?:kosten)?|shipping|porto|frais de port|spedizione|envío|verzendkosten|frakt)'
const behind = new RegExp(`[\\s,;(（\\[]+(?:${included}|${shipping})\\.?[)）\\]]?\\s*$`, 'iu')
const quick = /\p{L}{3}|\p{L}\.\p{L}|[税]|\p{L}\s+\p{L}/u

/** @returns the text as it was where it says nothing of the kind */
export function withoutTaxWords(raw: string): string {
  if (!quick.test(raw)) return raw
  // One word of each kind: "inkl. MwSt. zzgl. Versand".
  return raw.replace(behind, '').replace(behind, '')
}
