/** Tells the store of several partitions at once how far they have come: for one it does as much as for all. */
import type { Passed } from '../events/place.ts'

/** @param pass of which one runs at a time @returns waits until the store knows of these places */
export function passTogether(pass: (places: readonly Passed[]) => Promise<void>): (place: Passed) => Promise<void> {
  let waiting: Passed[] = []
  let next: Promise<void> | null = null
  let current: Promise<void> = Promise.resolve()
  return (place) => {
    waiting.push(place)
    next ??= current.then(() => {
      const places = waiting
      waiting = []
      next = null
      const passed = pass(places)
      current = passed.catch(() => {})
      return passed
    })
    return next
  }
}
