/** Units that stand behind a number, so that `13in`, `13 inch` and `13"` are one word. */
import { unitOf } from '../silver/units.ts'
import type { Part } from './split-text.ts'

/** Of electronics and of time, which no product field measures; each with the other ways to write it. */
const others: Readonly<Record<string, string>> = {
  ...{ kb: 'kb', mb: 'mb', gb: 'gb', go: 'gb', tb: 'tb', mbps: 'mbps', gbps: 'gbps' },
  ...{ hz: 'hz', khz: 'khz', mhz: 'mhz', ghz: 'ghz', fps: 'fps', mp: 'mp', megapixel: 'mp', dpi: 'dpi' },
  ...{
    w: 'w',
    watt: 'w',
    watts: 'w',
    вт: 'w',
    kw: 'kw',
    wh: 'wh',
    kwh: 'kwh',
    v: 'v',
    volt: 'v',
    volts: 'v',
    mah: 'mah',
    ah: 'ah',
  },
  ...{ lm: 'lm', lumen: 'lm', lumens: 'lm', db: 'db', bar: 'bar', psi: 'psi', rpm: 'rpm', den: 'den', denier: 'den' },
  ...{ h: 'h', hr: 'h', hrs: 'h', hour: 'h', hours: 'h', min: 'min', minutes: 'min', sec: 'sec' },
}

const inchSign = /^ ?(?:"|″|”|''|′′)/

/** @returns the unit, and whether it is a part of its own (`next`) or a sign */
export function unitBehind(
  text: string,
  number: Part,
  next: Part | undefined,
): { readonly unit: string; readonly isPart: boolean } | null {
  if (number.kind !== 'number') return null
  if (inchSign.test(text.slice(number.end, number.end + 3))) return { unit: 'in', isPart: false }
  // Between a number and its unit is at most one blank or mark.
  if (!next || next.kind === 'number' || next.start - number.end > 1) return null
  const unit = Object.hasOwn(others, next.text) ? others[next.text] : unitOf(next.raw, ['weight', 'length', 'volume'])
  return unit === undefined || unit === null ? null : { unit, isPart: true }
}
