/** Tells whether a text reads as a sentence: no markup left in it, not shouted in capitals. */
const tag =
  /<\/?(?:p|br|hr|div|span|a|b|i|u|em|strong|small|font|ul|ol|li|h[1-6]|table|tbody|thead|tr|td|th|img|iframe|script|style)(?:\s[^<>]*)?\/?>/i
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8}\d{0,2});/i

const asciiLower = /[a-z]/
const capitals = /\p{Lu}/gu

/** A name such as `IKEA` or `LG OLED55` may be all capitals; from this many on it is a sentence. */
const shoutFrom = 12
/** Who shouts does so from the beginning. */
const heard = 200

function isShouted(text: string): boolean {
  const opening = text.length > heard ? text.slice(0, heard) : text
  if (asciiLower.test(opening) || opening !== opening.toUpperCase() || opening === opening.toLowerCase()) return false
  const count = opening.match(capitals)?.length ?? 0
  // Half of the text: scripts without case hold Latin names such as `USB` or `HDMI`.
  return count >= shoutFrom && count * 2 >= opening.length
}

export function isPlainText(text: string): boolean {
  if (text.includes('<') && tag.test(text)) return false
  if (text.includes('&') && entity.test(text)) return false
  return !isShouted(text)
}
