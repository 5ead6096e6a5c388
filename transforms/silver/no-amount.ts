/** Says of a price that is no amount what it is instead, and what would be right. */

/** Two amounts with a dash or a word between them. */
const range =
  /\d\s*(?:\p{Sc}|\p{L}{1,3}\.?)?\s*(?:[-–—~〜～]|\bto\b|\bbis\b|\bà\b|\ba\b|\btot\b|\bdo\b|до)\s*\p{Sc}?\s*\d/iu
/** "From" in our languages, in front of an amount or behind it. */
const least =
  /^\s*(?:from|starting at|ab|à partir de|dès|desde|a partir de|da|a partire da|vanaf|od|от)\s|^\s*(?:от|ab)\d|\d\D*(?:から|～|起)\s*$/iu
/** "About" and "net of tax" in our languages. */
const about =
  /^\s*(?:ca|circa|approx|approximately|about|around|ungefähr|etwa|environ|env|aprox|aproximadamente|około|ok|cca|ongeveer|около|примерно|约)(?:\.|\s|(?=\d))|^\s*[~≈约]\s*\d/iu
const net =
  /(?:exkl|excl|ex|excluding|zzgl|plus|ohne|hors|bez|без|senza|sin|sem|\+)\.?\s*(?:\d{1,2}\s*%\s*)?(?:mwst|ust|steuer|vat|gst|tax|taxes|tva|iva|btw|dph|moms|mva|ндс)(?!\p{L})|(?<!\p{L})(?:netto|nett?|h\.?t)\.?\s*$|税抜|税別/iu
const per = /\d\D{0,5}(?:\/|\bper\b|\bpro\b|\bje\b|\bpar\b|\bpor\b|\bal\b)\s*(?:\d+\s*)?\p{L}/iu

/** The rest of a sentence that begins with the price. */
export function noAmount(raw: string): string {
  if (range.test(raw)) return 'is a range of prices; give each variant the price that it has'
  if (least.test(raw)) return 'is only the least that is asked; give each variant the price that it has'
  if (about.test(raw)) return 'is only about what is asked; give the price that it has'
  if (net.test(raw))
    return 'is a price without tax; give what a buyer pays, or the number alone where buyers are charged tax beside it'
  if (per.test(raw))
    return 'is the price of a measure; give what the product costs, and its measure in unit_pricing_measure'
  return 'is not one amount; write a number such as 12.50, with its currency or without'
}
