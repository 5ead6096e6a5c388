/** Values of a segment's columns without case and accents: folded once, and kept as long as the segment is. */
import { foldLetters } from './fold-letters.ts'

/** By the list of a segment's values, each of which is of one kind. */
const known = new WeakMap<readonly string[], readonly unknown[]>()
/** The same names stand in every segment. */
const folds = new Map<string, string>()
const mostFolds = 50_000

export const foldedTexts = (values: readonly string[]): readonly string[] => once(values, foldOnce)

/** @param values paths as JSON, the first of them none */
export const foldedPaths = (values: readonly string[]): readonly (readonly string[])[] =>
  once(values, (value) => (value === '' ? [] : (JSON.parse(value) as string[]).map(foldOnce)))

/** @param values each `name=value`, whose names are folded already */
export const foldedPairs = (values: readonly string[]): readonly string[] => once(values, foldedPair)

export function foldedPair(pair: string): string {
  const at = pair.indexOf('=')
  return pair.slice(0, at + 1) + foldLetters(pair.slice(at + 1))
}

function once<T>(values: readonly string[], fold: (value: string) => T): readonly T[] {
  const found = known.get(values)
  if (found) return found as readonly T[]
  const folded = values.map(fold)
  known.set(values, folded)
  return folded
}

function foldOnce(text: string): string {
  const found = folds.get(text)
  if (found !== undefined) return found
  if (folds.size >= mostFolds) folds.clear()
  const folded = foldLetters(text)
  folds.set(text, folded)
  return folded
}
