/** Shows a value of a product inside a reason: in quotes, and cut where it is long. */
import { cutText } from './cut-text.ts'

export const quoteValue = (text: string) => (text.length > 80 ? `"${cutText(text, 80)}…"` : `"${text}"`)
