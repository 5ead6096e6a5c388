/** Plain text from a cell: without markup, entities, invisible characters and needless space (KF-18). */
import { decodeHTMLStrict } from 'entities'
import { blank } from '../../schemas/feeds/blank.ts'
import { stripMarkup } from './markup.ts'

/** Visible ASCII with single spaces inside, and none of what entities and tags begin with, is plain text already. */
const unusual = /[^ !-%'-;=-~]| {2}|^ | $/

/** The same with the letters of most languages: a text of 700 characters takes 3 µs this way and 22 by all the steps below. */
const unusualLetters =
  /[^ !-%'-;=-~\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3001-\u3029\u3041-\u3096\u30a1-\u3163\u3165-\u9fff\uac00-\ud7a3\uff01-\uff9d]| {2}|^ | $/

/** Controls but tab and line ends, signs without width, direction overrides, noncharacters and lone surrogates. */
const junk =
  /[[\p{Cc}--[\t\n\r\x85]]\u{ad}\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180e}\u{200b}\u{2060}-\u{2064}\u{202a}-\u{202e}\u{2066}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{fdd0}-\u{fdef}\u{fffe}\u{ffff}\p{Cs}]/gv

/** Common letters and marks hold no junk; this quick look saves the exact one, which takes ten times as long. */
const suspicious =
  /[^\t\n\r -~\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3000-\u3029\u3041-\u3096\u30a1-\u3163\u3165-\u9fff\uac00-\ud7a3\uff01-\uff9d]/

/** Tags spell a flag behind its emoji, and a variant belongs to the one sign before it; anywhere else they carry words that nobody sees. */
// Not by looking back from each tag over those before it: 120,000 of them took 23 s.
const tags = /(\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}?)|[\u{e0000}-\u{e007f}]+/gv
const strayVariant =
  /(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<=[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}])[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gv
/** The first half of all tags and of the variants beyond the 16 of emoji, and these. */
const mayBeStray = /\udb40|[\ufe00-\ufe0f]/

function withoutJunk(text: string): string {
  if (!suspicious.test(text)) return text
  const clear = text.replace(junk, '')
  return mayBeStray.test(clear) ? clear.replace(tags, '$1').replace(strayVariant, '') : clear
}

/** Joiners hold emoji together and shape letters of some scripts; anywhere else they are junk. */
const strayJoiner =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}])[\u{200c}\u{200d}]|[\u{200c}\u{200d}](?![\p{Extended_Pictographic}\p{L}])/gv

/** As wide as a letter, and shown as nothing. */
const fillers = /[\u2800\u3164\uffa0]/g

/** An entity for no character gives nothing, rather than a replacement character that nobody wrote. */
function decoded(text: string): string {
  const now = decodeHTMLStrict(text)
  return now.includes('\ufffd') && !text.includes('\ufffd') ? now.replaceAll('\ufffd', '') : now
}

/** Without entities, also doubled, and otherwise as given. */
export function withoutEntities(raw: string): string {
  let now = raw
  for (let round = 0; round < 3 && now.includes('&'); round++) now = decoded(now)
  return now
}

/** Markup may be escaped, and entities doubled; three rounds are more than honest text needs. */
function unwrap(text: string): string {
  let now = text
  for (let round = 0; round < 3; round++) {
    const before = now
    if (now.includes('<')) now = stripMarkup(now)
    if (now.includes('&')) now = decoded(now)
    if (now === before) break
  }
  return now.includes('<') ? stripMarkup(now) : now
}

function clean(raw: string): string {
  const visible = withoutJunk(raw)
  const text = visible.includes('<') || visible.includes('&') ? withoutJunk(unwrap(visible)) : visible
  const joined = /[\u200c\u200d]/.test(text) ? text.replace(strayJoiner, '') : text
  return joined.replace(fillers, ' ').normalize('NFC')
}

/** What shows nothing is none, though signs are left of it: fillers, tags, marks without a letter. */
const shownOr = (text: string) => (blank(text) ? null : text)

/** One line of text; null where nothing is left. */
export function readTitle(raw: string): string | null {
  if (!unusual.test(raw)) return raw === '' ? null : raw
  if (!unusualLetters.test(raw)) return raw.normalize('NFC')
  const text = clean(raw)
    .replace(/[\s\x85]+/g, ' ')
    .trim()
  return shownOr(text)
}

/** Text whose paragraphs and list items stand on lines of their own, with at most one empty line between; null where nothing is left. */
export function readText(raw: string): string | null {
  if (!unusual.test(raw)) return raw === '' ? null : raw
  if (!unusualLetters.test(raw)) return raw.normalize('NFC')
  const text = clean(raw)
    .replace(/\r\n?|[\x85\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return shownOr(text)
}

const ascii = /^[!-~]+(?: [!-~]+)*$/

/** An identifier: trimmed of all Unicode space, NFC, without invisible characters, and otherwise as given (KF-11). */
export function readIdentifier(raw: string): string | null {
  if (ascii.test(raw)) return raw
  return shownOr(withoutJunk(raw).normalize('NFC').trim())
}
