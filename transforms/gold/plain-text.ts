/** Tells whether a text reads as a sentence: no markup left in it, not shouted in capitals. */
import { isShouted } from '../../schemas/feeds/is-shouted.ts'

const tag =
  /<\/?(?:p|br|hr|div|span|a|b|i|u|em|strong|small|font|ul|ol|li|h[1-6]|table|tbody|thead|tr|td|th|img|iframe|script|style)(?:\s[^<>]*)?\/?>/i
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8}\d{0,2});/i

export function isPlainText(text: string): boolean {
  if (text.includes('<') && tag.test(text)) return false
  if (text.includes('&') && entity.test(text)) return false
  return !isShouted(text)
}
