/** A text with {field} in it, as parts: what stands as it is, and the names of fields whose values come between. */

export type TemplatePart = string | { readonly field: string }

const place = /\{([^{}]*)\}/g

/** @returns null where a brace stands alone */
export function templateParts(text: string): readonly TemplatePart[] | null {
  const parts: TemplatePart[] = []
  let from = 0
  for (const found of text.matchAll(place)) {
    if (found.index > from) parts.push(text.slice(from, found.index))
    parts.push({ field: found[1] ?? '' })
    from = found.index + found[0].length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts.some((part) => typeof part === 'string' && /[{}]/.test(part)) ? null : parts
}

/** @returns null where one of the fields has no value: half a text would say something else */
export function filledTemplate(
  parts: readonly TemplatePart[],
  textOf: (field: string) => string | null,
): string | null {
  let text = ''
  for (const part of parts) {
    const value = typeof part === 'string' ? part : textOf(part.field)
    if (value === null) return null
    text += value
  }
  return text
}
