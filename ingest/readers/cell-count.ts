/** How many cells a ragged row has, as its reason says it, and as a file of rejects that comes back is asked for it. */
export const cellCount = {
  say: (found: number, width: number) => `has ${found} cells where the header has ${width}`,
  /** @returns null where no reason is that a row has too few */
  lacking(reasons: string): { found: number; width: number } | null {
    const [, found, width] = said.exec(reasons) ?? []
    return found !== undefined && Number(found) < Number(width) ? { found: Number(found), width: Number(width) } : null
  },
}

const said = /has (\d+) cells where the header has (\d+)/
