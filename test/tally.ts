/** Counts a Vitest run from its JSON report, so that nothing which went wrong is missing from the count of failures. */

/** What we read of the report that Vitest's `json` reporter writes. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      /** Of every try: a test that passed may have some of its first. */
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** One entry for each test that did not run: its full name with the reason, where the name gives one. */
  readonly skipped: readonly string[]
  /** One entry for each test that passed at its second try alone: its full name and what the first one met. */
  readonly unsteady: readonly string[]
}

/** A test says why it is skipped at the end of its name. */
const reasonMark = ' — skipped: '

function described(fullName: string): string {
  const [name = fullName, reason] = fullName.trim().split(reasonMark)
  return reason ? `${name} (${reason})` : name
}

/**
 * A file that failed without a failed test (it did not load, a hook threw, its worker died) is one failure, and so is a run
 * that ended badly for a reason no file shows: an unhandled error, or no report at all.
 * @param report null where Vitest left none
 * @param exitCode of Vitest itself
 */
export function tally(report: Report | null, exitCode: number): Tally {
  let passed = 0
  let failed = 0
  const skipped: string[] = []
  const unsteady: string[] = []
  for (const file of report?.testResults ?? []) {
    const before = failed
    for (const test of file.assertionResults) {
      const [met] = test.failureMessages ?? []
      if (test.status === 'passed' && met !== undefined) unsteady.push(`${test.fullName} (${met.split('\n')[0]})`)
      if (test.status === 'passed') passed++
      else if (test.status === 'failed') failed++
      else skipped.push(described(test.fullName))
    }
    if (file.status === 'failed' && failed === before) failed++
  }
  if (exitCode !== 0 && failed === 0) failed = 1
  return { passed, failed, skipped, unsteady }
}

/** The last line of a run: `3 passed, 0 failed`, and `, 1 skipped` only where some were. */
export function countLine({ passed, failed, skipped }: Pick<Tally, 'passed' | 'failed' | 'skipped'>): string {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`
}
