/** Finds out what a file's bytes are written in: by its mark, by what is valid, and else by which reading makes words of them. */
import type { Encoding } from '../encoding.ts'
import { type Alphabet, alphabets, type Language, written } from './alphabets.ts'
import { lenientDecoder } from './lenient-decoder.ts'
import { type Evidence, evidenceIn, likelihood, metIn } from './likelihood.ts'
import { markOf, utf16Of } from './marks.ts'
import { type EncodingName, shownName } from './names.ts'
import { openSample } from './sample.ts'
import { openUtf8Evidence } from './utf8-evidence.ts'

export interface FoundEncoding extends Encoding {
  /** Whether every byte has been seen to be text. */
  readonly whole: boolean
  /** How it was found, and how surely: for people. */
  readonly note: string
}

const headBytes = 2 ** 18
/** Surer than this is no guess. */
const sure = 0.9
/** Where more of the characters are none in the best reading, all readings are wrong. */
const mostWrong = 0.3

/**
 * @param chunks the file from its beginning; read to its end where that is needed
 * @param asked what the caller says, or the file itself. Only a mark, which no other encoding begins with, is stronger than the caller; a
 * first line is often left as it was when the file was written anew, so that bytes which are UTF-8 and make words as such are that
 * @param isUtf8 by its format, as JSON is: it is something else only for sure, and bytes that are no UTF-8 are damage
 * @returns null where the bytes are text in no encoding that is known here
 */
export async function detectEncoding(
  chunks: AsyncIterable<Uint8Array>,
  asked?: EncodingName,
  by: 'the caller' | 'its first line' = 'the caller',
  isUtf8 = false,
): Promise<FoundEncoding | null> {
  const utf8 = openUtf8Evidence()
  const sample = openSample()
  let head: Buffer = Buffer.alloc(0)
  let looked = false
  const early = (): FoundEncoding | null => {
    looked = true
    const mark = markOf(head)
    if (mark && mark.encoding !== 'utf-8') return { ...mark, whole: false, note: noteOf(mark) }
    if (asked !== undefined && by === 'the caller' && !(asked === 'utf-8' || mark)) return said(asked, by)
    const utf16 = mark ? null : utf16Of(head)
    if (!utf16) return null
    const reason = 'no mark, but NUL bytes stand as in ASCII of that encoding'
    return { encoding: utf16, markBytes: 0, whole: false, note: `encoding ${shownName(utf16)}, 99 % sure: ${reason}` }
  }
  for await (const chunk of chunks) {
    if (!looked) {
      head = Buffer.concat([head, chunk])
      const found = head.length >= headBytes ? early() : null
      if (found) return found
    }
    utf8.see(chunk)
    sample.see(chunk)
    if (utf8.decided) break
  }
  const found = looked ? null : early()
  if (found) return found
  const mark = markOf(head)
  const unicode: Encoding = { encoding: 'utf-8', markBytes: mark?.markBytes ?? 0 }
  const { result } = utf8
  if (asked !== undefined && asked !== 'utf-8' && !mark) {
    if (result === 'other' || !isLikelierUtf8(sample.bytes(), asked)) return said(asked, by)
    const note = `encoding UTF-8, as its bytes are, though ${by} says ${shownName(asked)}`
    return { ...unicode, whole: result === 'whole', note }
  }
  if (result === 'whole') return { ...unicode, whole: true, note: noteOf(unicode) }
  if (mark || asked === 'utf-8' || result === 'damaged') return { ...unicode, whole: false, note: noteOf(unicode) }
  const likely = mostLikely(sample.bytes())
  if (isUtf8 && (likely === null || likely.sureness < sure)) return { ...unicode, whole: false, note: noteOf(unicode) }
  return likely && { encoding: likely.encoding, markBytes: 0, whole: false, note: likely.note }
}

const said = (encoding: EncodingName, by: string): FoundEncoding => ({
  encoding,
  markBytes: 0,
  whole: false,
  note: `encoding ${shownName(encoding)}, as ${by} says`,
})

/** Bytes may be both: `CAFÉ®` in Windows-1252 is a letter of UTF-8 too. */
function isLikelierUtf8(bytes: Buffer, declared: EncodingName): boolean {
  const languages = Object.keys(alphabets) as Language[]
  const likeliest = (encoding: EncodingName) =>
    likeliestOf(evidenceIn(lenientDecoder(encoding)(bytes)), languages).score
  return likeliest('utf-8') > likeliest(declared)
}

const noteOf = ({ encoding, markBytes }: Encoding) =>
  `encoding ${shownName(encoding)}${markBytes > 0 ? ', with mark' : ''}`

interface Reading {
  readonly encoding: EncodingName
  readonly language: Language
  readonly text: string
  readonly evidence: Evidence
  readonly score: number
}

function mostLikely(bytes: Buffer): { encoding: EncodingName; sureness: number; note: string } | null {
  const readings = (Object.keys(written) as EncodingName[]).map((encoding) => read(bytes, encoding))
  const best = readings.reduce((a, b) => (b.score > a.score ? b : a))
  const { encoding, language, text, evidence } = best
  if (evidence.wrong > mostWrong * evidence.total) return null
  const words = [...new Set(text.match(/[\p{L}\p{M}]*[^\p{ASCII}][\p{L}\p{M}]*/gu))]
  const sureness = Math.min(
    surestOf(best, words.length),
    ...readings
      .filter((other) => other.text !== text)
      .map((other) => surenessOf(best.score - other.score, best, other)),
  )
  const percent = `${Math.round(sureness * 100)} % sure`
  const guess = sureness < sure ? ', which is a guess (say encoding= where it is another)' : ''
  const shown = words
    .slice(0, 3)
    .map((word) => JSON.stringify(word.slice(0, 20)))
    .join(', ')
  const reason = /\p{L}/u.test(words.join(''))
    ? `read so, its characters beyond ASCII are those of ${nameOf(language)}: ${shown}`
    : `it has no letters beyond ASCII, which could tell more than signs do: ${shown}`
  return {
    encoding,
    sureness,
    note: `encoding ${shownName(encoding)}, ${percent}${guess}: ${reason}`,
  }
}

function nameOf(language: Language): string {
  const { shown }: Alphabet = alphabets[language]
  return shown ?? `${language.charAt(0).toUpperCase()}${language.slice(1)}`
}

function read(bytes: Buffer, encoding: EncodingName): Reading {
  const text = lenientDecoder(encoding)(bytes)
  const evidence = evidenceIn(text)
  const { in: languages, rarity } = written[encoding] ?? { in: [], rarity: 0 }
  const { language, score } = likeliestOf(evidence, languages)
  return { encoding, text, evidence, language, score: score - rarity }
}

const likeliestOf = (evidence: Evidence, languages: readonly Language[]) =>
  languages
    .map((language) => ({ language, score: likelihood(evidence, language) }))
    .reduce((a, b) => (b.score > a.score ? b : a))

/** Of a reading that has no letters of its language beyond ASCII: signs stand in many encodings at the same places. */
const surestOfSigns = 0.4
/** That one more word or sign is what it seems by chance. */
const byChance = 0.4

/** However far all others are behind: one odd byte is little to go by, and damage looks like it. */
function surestOf({ evidence, language }: Reading, words: number): number {
  const { letters, signs, characters } = metIn(evidence, language)
  if (letters === 0 || 2 * characters < evidence.total) return surestOfSigns
  return 1 - byChance ** (Math.max(letters, words) + signs)
}

/** Characters of one text are no independent witnesses: beyond some thirty that differ, more of them make it no surer. */
const witnesses = 30

function surenessOf(lead: number, { text, evidence }: Reading, other: Reading): number {
  let differing = 0
  // Where some are read as pairs the texts cannot be laid side by side.
  if (text.length !== other.text.length) differing = Math.max(evidence.total, other.evidence.total)
  else for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== other.text.charCodeAt(i)) differing++
  return Math.min(0.99, 1 / (1 + Math.exp(-lead * Math.min(1, witnesses / differing))))
}
