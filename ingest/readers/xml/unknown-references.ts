/** Counts what looks like references that XML does not know: shops write &nbsp; as in a page, and & as it is, and one of them must not cost all rows. */

const longestShown = 40

export function unknownReferences() {
  let count = 0
  let first: { readonly written: string; readonly line: number } | undefined
  return {
    take(written: string, line: number) {
      first ??= { written: written.slice(0, longestShown), line }
      count++
    },
    notes: (): string[] =>
      first
        ? [
            `${count} times an & begins no reference that XML knows, first ${JSON.stringify(first.written)} on line ${first.line}; it was read as it is written. Write & as &amp;, and other characters as themselves`,
          ]
        : [],
  }
}
