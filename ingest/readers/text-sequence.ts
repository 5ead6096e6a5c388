/** "JavaScript Object Notation (JSON) Text Sequences", RFC 7464: a record separator stands before each text, and no JSON has one within. */

const separator = '\x1e'

export const isTextSequence = (start: string) => start.trimStart().startsWith(separator)

/** A blank in place of each separator: what is left are objects one after the other, each on the line where it stood. */
export const withoutSeparators = (text: string) => text.replaceAll(separator, ' ')

export async function* textSequence(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) yield withoutSeparators(piece)
}
