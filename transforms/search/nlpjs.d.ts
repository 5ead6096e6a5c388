/** Types of the two stemmers that come without. */
declare module '@nlpjs/lang-*' {
  export default class {
    stemWord(word: string): string
  }
}
