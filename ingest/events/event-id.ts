/** UUIDs of version 7: an id that tells when it was made. */

/** @param random at least ten bytes */
export function uuidAt(at: Date, random: Uint8Array): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  const rest = Buffer.from(random.subarray(0, 10))
  rest[0] = ((rest[0] ?? 0) & 0x0f) | 0x70
  rest[2] = ((rest[2] ?? 0) & 0x3f) | 0x80
  const hex = time + rest.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** @returns null for one of another version */
export function timeOfUuid(id: string): Date | null {
  if (id[14] !== '7') return null
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
