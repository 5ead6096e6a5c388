/** One Assay for the tests that kill it, one after another: what each leaves running the next one kills, since a first start of its own took longer than most of them. */
import { type AssayFolder, type AssayProcess, assayFolder } from './assay-process.ts'

export interface KilledAssay {
  readonly ground: AssayFolder
  /** The one that runs. */
  readonly assay: AssayProcess
  /** Where it was killed or has ended. */
  start(options?: { readonly transformsStand?: boolean }): Promise<AssayProcess>
}

/** @param set variables of every process that it starts */
export async function killedAssay(set: Record<string, string>): Promise<KilledAssay> {
  const ground = await assayFolder(undefined, set)
  let assay = await ground.start()
  return {
    ground,
    get assay() {
      return assay
    },
    async start(options) {
      assay = await ground.start(undefined, options)
      return assay
    },
  }
}

/** Work that is killed in its middle: one kill strikes several, since a start costs more than most of them. */
export interface Struck {
  readonly promise: string
  /** Makes all ready, long before the kill. */
  prepare(): Promise<void>
  /** Begins it or lets it go on, and comes to where the kill of this round, from 0, is to strike. What can be held there is. */
  middle(round: number): Promise<void>
  /** After the last start. */
  check(): Promise<void>
}
