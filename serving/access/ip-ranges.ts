/** Whether an address is in one of a policy's ranges: IPv4, IPv6, and IPv4 written as IPv6. */
import { BlockList, isIP } from 'node:net'

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const mappedBits = 96

/** Of each family its own: Node takes every IPv4 address for one of `::/0`. */
type Lists = Readonly<Record<'ipv4' | 'ipv6', BlockList>>

/** Policies are kept for seconds and asked on each request. */
const built = new WeakMap<readonly string[], Lists>()

/** @param ranges addresses or CIDR ranges; one that cannot be read lets nobody in */
export function isAllowed(ip: string, ranges: readonly string[]): boolean {
  const lists = built.get(ranges) ?? listsOf(ranges)
  built.set(ranges, lists)
  // A link-local address names its interface after a percent sign.
  const { address, family } = plain(ip.split('%')[0] ?? '')
  return family !== null && lists[family].check(address, family)
}

function listsOf(ranges: readonly string[]): Lists {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const parsed = readRange(range)
    if (parsed) lists[parsed.family].addSubnet(parsed.address, parsed.bits, parsed.family)
  }
  return lists
}

/** @returns null for what is no address and no CIDR range */
export function readRange(text: string) {
  const [, head = '', tail] = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const { address, family } = plain(head)
  if (family === null) return null
  const most = family === 'ipv4' ? 32 : 128
  const given = tail === undefined ? null : Number(tail)
  const bits = given === null ? most : address === head ? given : given - mappedBits
  return bits >= 0 && bits <= most ? { address, family, bits } : null
}

function plain(text: string): { address: string; family: 'ipv4' | 'ipv6' | null } {
  const address = mapped.exec(text)?.[1] ?? text
  const version = isIP(address)
  return { address, family: version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : null }
}
