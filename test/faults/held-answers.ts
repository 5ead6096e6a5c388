/** Answers of a test's server of which so many are given and the next are held, so that a kill comes in the middle of asking, however fast a machine is. */

export function heldAnswers() {
  const waiting: (() => void)[] = []
  let [asked, allowed] = [0, Number.POSITIVE_INFINITY]
  return {
    /** Asks so far, answered or held. */
    asked: () => asked,
    answer(give: () => void): void {
      if (++asked <= allowed) give()
      else waiting.push(give)
    },
    /** @param count of all asks; those that were held before are given up or answered now, and who was killed does not hear it */
    allow(count: number): void {
      allowed = count
      for (const give of waiting.splice(0)) give()
    },
  }
}
