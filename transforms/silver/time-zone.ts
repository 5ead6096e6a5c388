/** How far a time zone is from UTC at a moment on its own clocks. */

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  clocks.set(zone, clock)
  return clock
}

/** Minutes east of UTC. */
function offsetAt(zone: string, ms: number): number {
  const name = clockOf(zone)
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?/.exec(name ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/**
 * @param zone a name of the IANA database, or an offset
 * @param local milliseconds as if the zone's clocks showed UTC; of an hour that a change of clocks gives twice or never one reading
 * @returns minutes east of UTC
 */
export function zoneOffset(zone: string, local: number): number {
  const guess = offsetAt(zone, local)
  return offsetAt(zone, local - guess * 60_000)
}
