/** Values of a segment's columns without case and accents: folded once, and kept as long as the segment is. */
import { foldLetters } from './fold-letters.ts'

const texts = new WeakMap<readonly string[], readonly string[]>()
const paths = new WeakMap<readonly string[], readonly (readonly string[])[]>()
/** The same names stand in every segment. */
const folds = new Map<string, string>()
const mostFolds = 50_000

function foldOnce(text: string): string {
  const known = folds.get(text)
  if (known !== undefined) return known
  if (folds.size >= mostFolds) folds.clear()
  const folded = foldLetters(text)
  folds.set(text, folded)
  return folded
}

export function foldedTexts(values: readonly string[]): readonly string[] {
  const known = texts.get(values)
  if (known) return known
  const folded = values.map(foldOnce)
  texts.set(values, folded)
  return folded
}

/** @param values paths as JSON, the first of them none */
export function foldedPaths(values: readonly string[]): readonly (readonly string[])[] {
  const known = paths.get(values)
  if (known) return known
  const folded = values.map((value) => (value === '' ? [] : (JSON.parse(value) as string[]).map(foldOnce)))
  paths.set(values, folded)
  return folded
}
