/** A running Assay for test files that leave it as it was: one for all of a worker that follow one another, each in a workspace of its own. */
import { inject } from 'vitest'
import { enter } from './enter.ts'
import { keptAssay } from './kept-assay.ts'
import { type Running, startAssay } from './running.ts'

let files = 1
const named = () => `ws_test${files}`

/** Of the file that runs. */
export let workspace = named()

/** @param guardShare see `startAssay` */
export async function sharedAssay({ guardShare = 1 }: { guardShare?: number } = {}): Promise<Running> {
  // Nobody is told that a worker ends: what is left lies where the run clears all away.
  const assay = await keptAssay(() => startAssay({}, { within: inject('serverFolder') }))
  const leave = async () => {
    files++
    workspace = named()
  }
  return { ...(await enter(assay, workspace, guardShare)), stop: leave, close: leave }
}
