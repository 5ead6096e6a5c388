/** Positions in a feed, as text: of which configuration, in which edition, behind which product, and whether a snapshot is gone through or what changed since. */
import { readEdition, showEdition } from '../../infra/catalog/feed-edition.ts'

export interface FeedPosition {
  /** `s`: within the snapshot of the edition; `t`: in the changes, all up to the edition's product are told. */
  readonly mode: 's' | 't'
  readonly config: number
  readonly edition: number
  readonly product: string
}

export const showPosition = ({ mode, config, edition, product }: FeedPosition): string =>
  `${mode}.${config}.${showEdition(edition)}.${product}`

const shown = /^([st])\.(\d{1,9})\.([\d-]{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** @returns null where the text is no position */
export function readPosition(text: string): FeedPosition | null {
  const [, mode, config, edition = '', product = ''] = shown.exec(text) ?? []
  const read = readEdition(edition)
  return read === null ? null : { mode: mode as 's' | 't', config: Number(config), edition: read, product }
}
