/** Reads length, width and height from one cell, such as `12 x 30 x 5 cm`. */
import { readMeasure } from './measure.ts'
import { type Mark, type NumberRule, numberEvidence } from './number-format.ts'
import { quote } from './quote.ts'
import { doubts, type Reading } from './reading.ts'
import { type Side, sideLetters, sidesOf } from './side-letters.ts'
import { readTitle } from './text.ts'
import { unitMissing } from './unit-missing.ts'
import { unitOf } from './units.ts'

type Sides = Readonly<Record<Side, string | null>>

const usual: readonly Side[] = ['length', 'width', 'height']

const between = /\s*(?:[x×✕*х]|\bby\b)\s*/iu
/** Such as `L x B x H`; the letters of a word are no such thing. */
const one = `([${sideLetters}])`
const mark = String.raw`\s*[x×*х/-]\s*`
const inName = new RegExp(String.raw`(?<!\p{L})${one}${mark}${one}${mark}${one}(?!\p{L})`, 'iu')
const labelled = new RegExp(String.raw`^(?:${one}\s*[:=.]?\s*(?=\d))?(.*?)(?:\s*\(?(?<!\p{L})${one}\)?)?$`, 'iu')
/** Longer texts are prose. */
const longest = 100

interface Piece {
  readonly label: string
  readonly measure: string
}

function pieceOf(text: string): Piece {
  const [, before = '', measure = text, after = ''] = labelled.exec(text) ?? []
  return { label: before || after, measure: measure.trim() }
}

/** The order of the sides in the cell, else in its column's name, else length, width, height. */
function orderOf(column: string, pieces: readonly Piece[]): readonly Side[] | null {
  const labels = pieces.flatMap(({ label }) => label || [])
  if (labels.length > 0) return sidesOf(labels)
  const [, ...named] = inName.exec(column.normalize('NFC')) ?? []
  return named.length === 3 ? sidesOf(named) : usual
}

const isGuess = ({ findings }: Reading<string>) => findings.some(({ code }) => code === 'number_guess')

const some = (findings: readonly unknown[]) => findings.length > 0

/** @param unit where the cell has none */
export function readDimensions(
  column: string,
  raw: string,
  how: Mark | null | NumberRule,
  unit: string | null,
): Reading<Sides> {
  const text = readTitle(raw)
  if (text === null) return { value: null, findings: [] }
  const parts = text.length > longest ? [] : text.split(text.includes('/') ? '/' : between)
  const pieces = parts.map((part) => pieceOf(part.trim()))
  const sides = pieces.length === 3 ? orderOf(column, pieces) : null
  if (sides === null) {
    const says = `${quote(raw)} are not length, width and height; write the three with a unit, such as 30 x 20 x 5 cm`
    return doubts('unreadable_dimensions', says)
  }
  const last = /[^\d.,\s].*$/.exec(pieces[2]?.measure ?? '')?.[0] ?? ''
  const shared = unitOf(last, ['length']) ?? unit
  // Where nothing else tells, one side may tell how its neighbours are written.
  const evidence = numberEvidence()
  for (const { measure } of pieces) evidence.see(measure)
  const { decimal } = evidence.result()
  const read = pieces.map(({ measure }) => {
    const one = readMeasure(measure, ['length'], how, shared)
    const isOpen = isGuess(one) ? decimal !== null : one.value === null && one.findings.length > 0
    return isOpen ? readMeasure(measure, ['length'], decimal, shared) : one
  })
  const doubt = read.find((one) => one.findings.length > 0 && !isGuess(one))
  if (doubt) return { value: null, findings: doubt.findings.map(({ code, says }) => ({ code, says })) }
  const value = { length: null, width: null, height: null } as Record<Side, string | null>
  for (const [at, side] of sides.entries()) value[side] = read[at]?.value ?? null
  const guess = read.find(isGuess)
  if (guess) return { value, findings: guess.findings }
  return { value, findings: read.map((one) => unitMissing(raw, one, '30 x 20 x 5 cm').findings).find(some) ?? [] }
}
