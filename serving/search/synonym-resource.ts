/** A synonym as the API shows and takes it, and what makes one a synonym at all. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { NewSynonym, SynonymRow } from '../../infra/catalog/synonym-queries.ts'
import { mostTermWords, synonymKey } from '../../transforms/search/apply-synonyms.ts'

const locale = z.string().regex(/^[a-z]{2}$/, 'is a language of two letters, like de')
const words = z.string().trim().min(1).max(100)

export const synonymResource = z.object({
  id: z.uuid(),
  brandId: z.uuid(),
  term: z.string().nullable(),
  words: z.array(z.string()),
  locale: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})

export const synonymBody = z.strictObject({
  /** Given, it means the words, and they do not mean it. */
  term: words.nullable().default(null),
  words: z.array(words).min(1).max(50),
  locale: locale.nullable().default(null),
})
export type SynonymBody = z.output<typeof synonymBody>

export const toResource = ({ id, brand, term, words, locale, createdAt, updatedAt }: SynonymRow) => ({
  ...{ id, brandId: brand, term, words: [...words], locale },
  ...{ createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
})

/** @returns why it is none; null where it is one */
export function faultOf({ term, words, locale: of }: SynonymBody): string | null {
  if (of !== null && !locale.safeParse(of).success) return `the locale ${of} is no language of two letters, like de`
  if (words.length === 0) return 'it has no words'
  if (words.length > 50) return 'it has more than 50 words'
  if (term === null && new Set(words.map(synonymKey)).size < 2) return 'words that mean each other are at least two'
  if (term !== null && words.every((word) => synonymKey(word) === synonymKey(term)))
    return `${term} means itself already`
  for (const text of term === null ? words : [term, ...words]) {
    const key = synonymKey(text)
    if (text.length > 100) return `${text.slice(0, 40)}… has more than 100 characters`
    if (key === '') return `${text} has neither letters nor digits`
    if (key.split(' ').length > mostTermWords) return `${text} has more than ${mostTermWords} words`
  }
  return null
}

/** Of the same words it is the same synonym: sent again it changes nothing. */
export function newSynonym(brand: string, { term, words, locale }: SynonymBody, id?: string): NewSynonym {
  const keys = [...new Set(term === null ? words.map(synonymKey) : [synonymKey(term)])]
  return {
    id: id ?? idOf([brand, locale, term !== null, ...[...keys].sort()]),
    locale,
    term,
    words,
    keys,
  }
}

function idOf(of: readonly unknown[]): string {
  const hex = createHash('sha256').update(JSON.stringify(of)).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
