/** A text as its sentences, each with what ends it; paragraphs stay apart. */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

export const sentences = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)
