/** How a row begins that cannot be read, as much of it as is shown; a copy, since a view would keep all of its text in memory. */

const shownCharacters = 1_000

export const beginning = (text: string) => Buffer.from(text.slice(0, shownCharacters), 'utf16le').toString('utf16le')
