/** A progress line that counts bytes, in megabytes. */
import { type ProgressLine, progressLine } from './progress.ts'

const mega = 1_000_000

export function sizeLine(label: string): {
  show(doneBytes: number, totalBytes: number | null): void
  end(): void
} {
  // Its clock begins with the work, not with the command.
  let line: ProgressLine | undefined
  let shown = -1
  return {
    show(doneBytes, totalBytes) {
      const done = Math.round(doneBytes / mega)
      if (done === shown) return
      shown = done
      line ??= progressLine(label, 'MB')
      line.show(done, totalBytes === null ? null : Math.max(done, Math.round(totalBytes / mega)))
    },
    end: () => line?.end(),
  }
}
