import { afterAll, beforeAll } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay } from '../shared-assay.ts'
import { sharedIsThere } from './expected-figures.ts'
import { cases } from './real-cases.ts'
import { files, select } from './real-format-cases.ts'
import { gradeFile, productFiles } from './real-scores.ts'
import { areWorthWhatWasReviewed } from './real-worth.ts'
import { cases as xmlCases } from './real-xml-cases.ts'

let assay: Running
beforeAll(async () => {
  if (sharedIsThere) assay = await sharedAssay()
})
afterAll(() => assay?.close())

/** Where more is promised of a file, its worth is looked at there. */
const elsewhere = [...cases, ...files, ...xmlCases].map(({ file }) => file).concat(select)
const others = (sharedIsThere ? await productFiles() : []).filter((file) => !elsewhere.includes(file))

areWorthWhatWasReviewed('real-scores.txt', others, (file) => gradeFile(assay, file))
