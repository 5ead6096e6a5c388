/** What a check's record says of a product's images: written as one cell, and read back for those that the product still has. */
import { leastSideEverywhere, mostBytesEverywhere, typesEverywhere } from '../../schemas/feeds/image-limits.ts'
import { pictureName } from '../../schemas/feeds/picture-name.ts'
import { type ImageFinding, imageStates } from '../../schemas/image-check.ts'

/** Every platform takes it: there is nothing to say. A good image under the name of another kind is told, or its name would decide. */
function isFine({ image, state, type, width, height, bytes }: ImageFinding): boolean {
  if (state !== 'ok' || type === null || !typesEverywhere.includes(type)) return false
  if (!typesEverywhere.includes(pictureName(image)?.type ?? type)) return false
  if (bytes !== null && bytes > mostBytesEverywhere) return false
  return width !== null && height !== null && Math.min(width, height) >= leastSideEverywhere
}

/**
 * Only what some platform may refuse, so that a catalog of good images appends nothing.
 * @param found in the order of the product's images
 * @returns null where there is nothing to say
 */
export function imageChecksCell(found: readonly ImageFinding[]): string | null {
  const told = found.filter((one) => !isFine(one)).map(ordered)
  return told.length === 0 ? null : JSON.stringify(told)
}

/** Equal findings are equal text. */
const ordered = ({ image, state, status, type, width, height, bytes }: ImageFinding): ImageFinding => ({
  image,
  state,
  status,
  type,
  width,
  height,
  bytes,
})

/** Never throws: what it cannot read says nothing. */
export function readImageFindings(cell: string, images: readonly string[]): readonly ImageFinding[] | null {
  const said = parsed(cell)
  const found = images.flatMap((image) => said.find((one) => one.image === image) ?? [])
  return found.length === 0 ? null : found
}

function parsed(cell: string): readonly ImageFinding[] {
  try {
    const list: unknown = JSON.parse(cell)
    return Array.isArray(list) ? list.filter(isFinding) : []
  } catch {
    return []
  }
}

const states: ReadonlySet<unknown> = new Set(imageStates.filter((state) => state !== 'unreachable'))
const isCount = (value: unknown) => value === null || Number.isSafeInteger(value)

function isFinding(value: unknown): value is ImageFinding {
  if (typeof value !== 'object' || value === null) return false
  const { image, state, type, status, width, height, bytes } = value as Partial<ImageFinding>
  return (
    typeof image === 'string' &&
    states.has(state) &&
    (type === null || typeof type === 'string') &&
    [status, width, height, bytes].every(isCount)
  )
}
