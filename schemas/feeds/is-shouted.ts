/** Tells whether a text is written in capitals; scripts without case never are. */
const asciiLower = /[a-z]/
const capitals = /\p{Lu}/gu

/** A name such as `IKEA` or `LG OLED55` may be all capitals; from this many on it is a sentence. */
const shoutFrom = 12
/** Who shouts does so from the beginning. */
const heard = 200

export function isShouted(text: string): boolean {
  const opening = text.length > heard ? text.slice(0, heard) : text
  if (asciiLower.test(opening) || opening !== opening.toUpperCase() || opening === opening.toLowerCase()) return false
  const count = opening.match(capitals)?.length ?? 0
  // Half of the text: scripts without case hold Latin names such as `USB` or `HDMI`.
  return count >= shoutFrom && count * 2 >= opening.length
}
