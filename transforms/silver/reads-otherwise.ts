/** Whether silver makes something else of the cells that are there under other settings; triggers that are turned on take up what waits. */
import { type PipelineSettings, silverKeys } from '../../schemas/settings.ts'
import { isSame } from '../versions/is-same.ts'

export function readsOtherwise(before: PipelineSettings, after: PipelineSettings): boolean {
  if (after.autoSilver && !before.autoSilver) return true
  return silverKeys.some((key) => !isSame(before[key], after[key]))
}
