/** Refused, since it would be made of what the log still has, and the log has lost records. */

/** Offsets of a partition that were dropped before they were archived: neither the log nor its archive has them. */
export interface Hole {
  readonly epoch: number
  readonly partition: number
  readonly from: number
  /** One past the last. */
  readonly to: number
}

export class LogIncomplete extends Error {
  readonly holes: readonly Hole[]
  constructor(message: string, holes: readonly Hole[]) {
    super(message)
    this.holes = holes
  }
}

export const distinctHoles = (holes: readonly Hole[]): Hole[] => [
  ...new Map(holes.map((hole) => [`${hole.epoch}/${hole.partition}/${hole.from}/${hole.to}`, hole])).values(),
]

/** More would not be read. */
const shown = 3

/** As the beginning of a sentence. */
export function saysHoles(holes: readonly Hole[]): string {
  const told = holes
    .slice(0, shown)
    .map((hole) => `${hole.from} to ${hole.to - 1} of partition ${hole.partition} of epoch ${hole.epoch} of the log`)
  const others = holes.length > shown ? ` and ${holes.length - shown} more such ranges` : ''
  return `Offsets ${told.join(', ')}${others} were dropped before they were archived`
}
