/** Lays rows out in columns for a terminal: text to the left, numbers to the right. */

export function table(rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map(String))
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((row) => [...(row[i] ?? '')].length)))
  return rows
    .map((row, r) =>
      row
        .map((value, i) => {
          const text = texts[r]?.[i] ?? ''
          const width = widths[i] ?? 0
          return typeof value === 'number' ? text.padStart(width) : text.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
