/** Counts how often codes occur, in arrays that are used again: only those that did are looked at. */

export interface Tally {
  /** Before codes below `codes` are counted. */
  begin(codes: number): void
  add(code: number): void
  /** Each code that occurred, and how often; it is empty then. */
  drain(each: (code: number, times: number) => void): void
}

export function openTally(): Tally {
  let times = new Uint32Array(1_024)
  let seen = new Uint32Array(1_024)
  let n = 0
  return {
    begin(codes) {
      if (codes <= times.length) return
      times = new Uint32Array(codes * 2)
      seen = new Uint32Array(codes * 2)
    },
    add(code) {
      const before = times[code] as number
      if (before === 0) seen[n++] = code
      times[code] = before + 1
    },
    drain(each) {
      for (let i = 0; i < n; i++) {
        const code = seen[i] as number
        each(code, times[code] as number)
        times[code] = 0
      }
      n = 0
    },
  }
}
