/** Shows how far long work has come: one line that moves on a terminal, plain lines now and then elsewhere. */

export interface ProgressLine {
  /** @param total null while unknown */
  show(done: number, total: number | null): void
  end(): void
}

const plainEveryMs = 5_000
const barWidth = 24

export const grouped = (n: number) => n.toLocaleString('en-US')

/** @param what counted things, such as "rows" */
export function progressLine(label: string, what: string, out: NodeJS.WriteStream = process.stderr): ProgressLine {
  const began = performance.now()
  let plainAt = began
  let shown = false
  return {
    show(done, total) {
      const seconds = (performance.now() - began) / 1_000
      const rate = seconds > 0 ? done / seconds : 0
      const left = total !== null && rate > 0 ? Math.ceil((total - done) / rate) : null
      const of = total === null ? grouped(done) : `${grouped(done)} of ${grouped(total)}`
      const text = `${of} ${what}  ${grouped(Math.round(rate))}/s${left === null ? '' : `  ${left} s left`}`
      if (out.isTTY) {
        const full = total ? Math.round((done / total) * barWidth) : 0
        out.write(`\r\x1b[2K${label}  ${'█'.repeat(full)}${'░'.repeat(barWidth - full)}  ${text}`)
        shown = true
      } else if (performance.now() - plainAt >= plainEveryMs) {
        plainAt = performance.now()
        out.write(`${label}: ${text}\n`)
      }
    },
    end() {
      if (shown) out.write('\r\x1b[2K')
    },
  }
}
