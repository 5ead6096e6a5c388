/** Names a group by its members: the same products are the same group, whenever and in whatever order they were found. */

/** A UUIDv8. @param members in order of id @param digest 32 hex digits of a text */
export function groupId(members: readonly string[], digest: (text: string) => string): string {
  const hex = digest(members.join(' '))
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
