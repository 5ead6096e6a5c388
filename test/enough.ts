/** How much of one thing a test tries: what `npm test` has time for, or all of it in the long form, which `npm run faults suite` runs. */

/** Asked for by `ASSAY_TEST_FORM=long`. */
export const isLong = process.env.ASSAY_TEST_FORM === 'long'

/** Generated cases, rows, kills, files: few enough for every run, or as many as it takes to find what is seldom. */
export const enough = <T>(short: T, long: T): T => (isLong ? long : short)
