/** The order of test files: those of a project follow one another, and of these the ones begin that are known to take long, so that none of them runs alone at the end. */
import { readFileSync } from 'node:fs'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { longFiles } from './long-files.ts'

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(files.map((file) => [file, placeOf(file)]))
    const place = (file: TestSpecification) => places.get(file) ?? 0
    // A worker keeps its process only where the next file is of the same project.
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((some) => some.sort((a, b) => place(a) - place(b)))
  }
}

/** A worker's Assay ends where the next file wants its own: those that share it follow one another. */
function placeOf({ moduleId }: TestSpecification): number {
  const at = longFiles.findIndex((path) => moduleId.endsWith(`/${path}`))
  if (at >= 0) return at
  return readFileSync(moduleId, 'utf8').includes("/shared-assay.ts'") ? longFiles.length : longFiles.length + 1
}
