/** Finds out what a file's bytes are written in: by its mark, by what is valid, and else by which reading makes words of them. */
import type { Encoding } from '../encoding.ts'
import { type Alphabet, alphabets, type Language, written } from './alphabets.ts'
import { type Evidence, evidenceIn, likelihood } from './likelihood.ts'
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
 * @param asked what the caller, or the file itself, says; only a mark, which no other encoding begins with, is stronger
 * @returns null where the bytes are text in no encoding that is known here
 */
export async function detectEncoding(
  chunks: AsyncIterable<Uint8Array>,
  asked?: EncodingName,
  by = 'the caller',
): Promise<FoundEncoding | null> {
  const utf8 = openUtf8Evidence()
  const sample = openSample()
  let head: Buffer = Buffer.alloc(0)
  let looked = false
  const early = (): FoundEncoding | null => {
    looked = true
    const mark = markOf(head)
    if (mark && mark.encoding !== 'utf-8') return { ...mark, whole: false, note: noteOf(mark) }
    if (asked !== undefined && !(asked === 'utf-8' || mark))
      return { encoding: asked, markBytes: 0, whole: false, note: `encoding ${shownName(asked)}, as ${by} says` }
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
  if (result === 'whole') return { ...unicode, whole: true, note: noteOf(unicode) }
  if (mark || asked === 'utf-8' || result === 'damaged') return { ...unicode, whole: false, note: noteOf(unicode) }
  return mostLikely(sample.bytes())
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

function mostLikely(bytes: Buffer): FoundEncoding | null {
  const readings = (Object.keys(written) as EncodingName[]).map((encoding) => read(bytes, encoding))
  const best = readings.reduce((a, b) => (b.score > a.score ? b : a))
  const { encoding, language, text, evidence } = best
  if (evidence.wrong > mostWrong * evidence.total) return null
  const sureness = Math.min(
    ...readings
      .filter((other) => other.text !== text)
      .map((other) => surenessOf(best.score - other.score, best, other)),
  )
  const percent = `${Math.round(sureness * 100)} % sure`
  const guess = sureness < sure ? ', which is a guess (say encoding= where it is another)' : ''
  const words = [...new Set(text.match(/[\p{L}\p{M}]*[^\p{ASCII}\s][\p{L}\p{M}]*/gu))].slice(0, 3)
  const shown = words.map((word) => JSON.stringify(word.slice(0, 20))).join(', ')
  const reason = `read so, its characters beyond ASCII are those of ${nameOf(language)}: ${shown}`
  return {
    encoding,
    markBytes: 0,
    whole: false,
    note: `encoding ${shownName(encoding)}, ${percent}${guess}: ${reason}`,
  }
}

function nameOf(language: Language): string {
  const { shown }: Alphabet = alphabets[language]
  return shown ?? `${language.charAt(0).toUpperCase()}${language.slice(1)}`
}

function read(bytes: Buffer, encoding: EncodingName): Reading {
  const text = new TextDecoder(encoding).decode(bytes)
  const evidence = evidenceIn(text)
  const { in: languages, rarity } = written[encoding] ?? { in: [], rarity: 0 }
  const scored = languages.map((language) => ({ language, score: likelihood(evidence, language) - rarity }))
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a))
  return { encoding, text, evidence, ...best }
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
