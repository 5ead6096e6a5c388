/** The order of test files: those of a project follow one another, and of these the ones begin that are known to take long, so that none of them runs alone at the end. */
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { longFiles } from './long-files.ts'

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longFiles.findIndex((path) => moduleId.endsWith(`/${path}`))
      return at < 0 ? longFiles.length : at
    }
    // A worker keeps its process only where the next file is of the same project.
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((some) => some.sort((a, b) => place(a) - place(b)))
  }
}
