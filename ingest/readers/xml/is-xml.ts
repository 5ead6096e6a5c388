/** Whether a text begins as XML does: with an element, a declaration, a remark or a document type. */

const beginning = /^[\s\ufeff]*<[?!\p{L}_:]/u

export const isXml = (start: string) => beginning.test(start)
