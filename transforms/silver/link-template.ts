/** Fills the workspace's link template; no link where a name in it has no value. */

interface LinkParts {
  readonly sku: string | null
  readonly id: string | null
  readonly handle: string | null
}

export function fillLink(template: string, parts: LinkParts): string | null {
  let whole = true
  const link = template.replace(/\{(sku|id|handle)\}/g, (_, name: keyof LinkParts) => {
    const value = parts[name]
    if (value === null) whole = false
    return encodeURIComponent(value?.toWellFormed() ?? '')
  })
  return whole ? link : null
}
