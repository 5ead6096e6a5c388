import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldLetters } from '../../../transforms/search/fold-letters.ts'
import { highlight } from '../../../transforms/search/highlight.ts'
import { type StemLanguage, stem } from '../../../transforms/search/stem.ts'

const letters: Readonly<Record<StemLanguage, string>> = {
  ...{ en: 'abdeginrsty', de: 'abeghnrstuäöüß', fr: 'aceilnrstuéèêç', es: 'acdeilnorsáéíñ', pt: 'acdeilnorsãõç' },
  ...{ it: 'aceilnorstùà', nl: 'adegijnrstë', ru: 'авеийлностьы', pl: 'acegijłnoszńśżaj', cs: 'acehijlnoštřůý' },
}

describe('where the words of a query stand', () => {
  test('every language leaves a word its first letter, but for the superlatives', () => {
    for (const [language, of] of Object.entries(letters))
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...of), { minLength: 3, maxLength: 12 }), (drawn) => {
          const word = drawn.join('')
          if (!/^n[ae]j/.test(foldLetters(word)))
            expect(stem(word, language as StemLanguage)[0]).toBe(foldLetters(word)[0])
        }),
        { numRuns: 2_000 },
      )
  })

  test.each([
    ['Two running shoes & a sock', 'shoe', ['en'], 'Two running <mark>shoes</mark> &amp; a sock'],
    ['Najszybszy rower', stem('najszybszy', 'pl'), ['pl'], '<mark>Najszybszy</mark> rower'],
    ['Mug', 'jug', ['en'], null],
  ])('%s by %s', (text, term, languages, shown) => expect(highlight(text, new Set([term]), languages)).toBe(shown))
})
