/** The bits that a grade must have for a product to be feed-ready: of the platforms of its brand, of Google where it has none. */
import type { Platform } from './profile.ts'
import { platforms } from './registry.ts'

const whereNone: readonly Platform[] = ['google']

export function requiredBits(configured: readonly Platform[]): number {
  const wanted = configured.length === 0 ? whereNone : configured
  return platforms.reduce((bits, { platform, bit }) => (wanted.includes(platform) ? bits | bit : bits), 0)
}
