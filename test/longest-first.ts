/** The order of test files: those that are known to take long begin, so that none of them runs alone at the end. */
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { longFiles } from './long-files.ts'

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longFiles.findIndex((path) => moduleId.endsWith(`/${path}`))
      return at < 0 ? longFiles.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
