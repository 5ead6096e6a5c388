/** Places in the changes of a catalog, in order of version and product: what events, jobs and records say of where they stand (DESIGN 5.9). */

export interface ChangePosition {
  /** `s`: within the whole of that version, which its reader goes through; `t`: in the changes, all up to here are told. */
  readonly mode: 's' | 't'
  readonly version: number
  readonly product: string
}

/** Behind all products of a version. */
export const lastProduct = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const showChange = ({ mode, version, product }: ChangePosition): string => `${mode}.${version}.${product}`

/** Behind all that a version changed. */
export const endOfVersion = (version: number): string => showChange({ mode: 't', version, product: lastProduct })

const shown = /^([st])\.(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** @returns null where the text is no position */
export function readChange(text: string): ChangePosition | null {
  const [, mode, version, product = ''] = shown.exec(text) ?? []
  return version === undefined ? null : { mode: mode as 's' | 't', version: Number(version), product }
}
