/** Which addresses are on the public internet: every range of IANA's special-purpose registries is left out. */
import { BlockList, isIP } from 'node:net'

type Family = 'ipv4' | 'ipv6'

/** RFC 6890 and its successors. */
const notPublicV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers (CGNAT)
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; where clouds keep their metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // multicast tunnels
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

/**
 * All that is public lies in here. Left out with the rest: `::`, `::1`, IPv4 mapped (`::ffff:0:0/96`), translated and compatible,
 * NAT64 (`64:ff9b::/96`, `64:ff9b:1::/48`), unique local, link-local, site-local and multicast.
 */
const globalV6 = ['2000::/3']
const notPublicV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which holds an IPv4 address
  '3fff::/20', // documentation
]

/** Whether an address lies in one of the ranges: single addresses, or CIDR. */
export type Ranges = (address: string) => boolean

/** Of each family its own list: Node takes IPv4 addresses for members of IPv6 ranges. */
export function rangesOf(texts: readonly string[]): Ranges {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    const family = familyOf(address)
    if (family === null) throw new TypeError(`${text} is no range of addresses`)
    lists[family].addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return (address) => {
    const family = familyOf(address)
    return family !== null && lists[family].check(address, family)
  }
}

/** An address that names an interface is none of the internet. */
function familyOf(address: string): Family | null {
  const version = address.includes('%') ? 0 : isIP(address)
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : null
}

const special = rangesOf([...notPublicV4, ...notPublicV6])
const global = rangesOf(globalV6)

export function isPublic(address: string): boolean {
  const family = familyOf(address)
  if (family === null) return false
  return !special(address) && (family === 'ipv4' || global(address))
}
