/** Editions of a feed: a published version, and how often its lines were judged anew since. */

const rounds = 1_000_000

export const editionOf = (version: number, round = 0): number => version * rounds + round

export const versionOf = (edition: number): number => Math.floor(edition / rounds)

/** As people read it: `7`, and `7-2` after two rounds. */
export function showEdition(edition: number): string {
  const round = edition % rounds
  return round === 0 ? String(versionOf(edition)) : `${versionOf(edition)}-${round}`
}

const shown = /^(\d{1,9})(?:-(\d{1,6}))?$/

/** @returns null where the text is no edition */
export function readEdition(text: string): number | null {
  const found = shown.exec(text)
  return found ? editionOf(Number(found[1]), Number(found[2] ?? 0)) : null
}
