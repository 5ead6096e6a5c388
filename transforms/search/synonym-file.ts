/** A CSV of synonyms: a line each, with the columns `term` (blank where all words mean each other), `words` with `|` between them, and `locale`. */

export interface SynonymLine {
  readonly line: number
  readonly term: string | null
  readonly words: readonly string[]
  readonly locale: string | null
}

export interface SynonymFault {
  readonly line: number
  readonly says: string
}

const cell = /"((?:[^"]|"")*)"|([^,\r\n"]*)/y

export function readSynonymFile(text: string): { readonly lines: SynonymLine[]; readonly faults: SynonymFault[] } {
  const records = recordsOf(text.replace(/^\ufeff/, ''))
  const [head, ...rows] = records
  const at = (name: string) => head?.cells.findIndex((cell) => cell.trim().toLowerCase() === name) ?? -1
  const [term, words, locale] = [at('term'), at('words'), at('locale')]
  if (words < 0)
    return { lines: [], faults: [{ line: 1, says: 'the first line names the columns term, words and locale' }] }
  const lines: SynonymLine[] = []
  const faults: SynonymFault[] = []
  for (const { line, cells, fault } of rows) {
    if (fault) faults.push({ line, says: fault })
    else if (cells.some((cell) => cell.trim() !== '')) {
      const of = (place: number) => (cells[place] ?? '').trim()
      const meant = of(words)
        .split('|')
        .map((word) => word.trim())
        .filter((word) => word !== '')
      lines.push({ line, term: of(term) || null, words: meant, locale: of(locale) || null })
    }
  }
  return { lines, faults }
}

interface Record {
  readonly line: number
  readonly cells: string[]
  readonly fault: string | null
}

function recordsOf(text: string): Record[] {
  const records: Record[] = []
  let [at, line] = [0, 1]
  while (at < text.length) {
    const cells: string[] = []
    const first = line
    let fault: string | null = null
    for (;;) {
      cell.lastIndex = at
      const found = cell.exec(text)
      const raw = found?.[0] ?? ''
      cells.push(found?.[1] === undefined ? (found?.[2] ?? '') : found[1].replaceAll('""', '"'))
      at += raw.length
      line += raw.split('\n').length - 1
      if (text[at] === ',') {
        at++
        continue
      }
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') {
        fault = 'a quote stands where none may; write it twice within quotes'
        const end = text.indexOf('\n', at)
        at = end < 0 ? text.length : end
      }
      break
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    line++
    records.push({ line: first, cells, fault })
  }
  return records
}
