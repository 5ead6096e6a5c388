/** Resources as lists show them: single ones first, then family after family, each in pages. */
import { ServiceError } from '../../schemas/errors.ts'
import { type Asking, type Resource, resourceAt } from './resources.ts'

export const nameIn = (family: Resource, uri: string) => resourceAt([family], uri)?.name

export const listed = ({ uri, name, title, description, mimeType }: Resource) => ({
  ...{ uri, name, title, description, mimeType },
})

export const partsOf = (all: readonly Resource[]) => ({
  single: all.filter(({ list }) => list === undefined),
  families: all.filter(({ list }) => list !== undefined),
})

/** @throws ServiceError for what is no cursor of the list */
export async function resourcePage(all: readonly Resource[], cursor: string | undefined, asking: Asking) {
  const { single, families } = partsOf(all)
  const [at, after] = cursor === undefined ? [0, undefined] : placeIn(cursor, families.length)
  const family = families[at]
  const found = await family?.list?.(after, asking)
  const next = found?.next ?? null
  const nextAt = next === null ? at + 1 : at
  return {
    resources: [
      ...(cursor === undefined ? single.map(listed) : []),
      ...(found?.resources ?? []).map((one) => ({ ...(family && listed(family)), ...one })),
    ],
    ...(nextAt < families.length && { nextCursor: cursorAt(nextAt, next) }),
  }
}

/** Lists of families follow one another. */
const cursorAt = (family: number, after: string | null) =>
  Buffer.from(JSON.stringify([family, after])).toString('base64url')

function placeIn(cursor: string, families: number): [number, string | undefined] {
  try {
    const [family, after] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isPlace = Number.isInteger(family) && family >= 0 && family < families
    if (isPlace && (after === null || typeof after === 'string')) return [family, after ?? undefined]
  } catch {
    // What is no JSON is no place either.
  }
  throw new ServiceError('MCP_002', { message: 'This is no cursor of this list', field: 'cursor' })
}
