/** Counts a text's code points, the unit in which platforms state their limits. */
const pairs = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g

/** A surrogate without its other half counts as one. */
export const codePoints = (text: string): number => text.length - (text.match(pairs)?.length ?? 0)
