/** Saves parts of the pipeline settings, and waits for what follows. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SettingsBody } from '../../../serving/workspace/settings-body.ts'
import type { Running } from '../../running.ts'

const pathOf = ({ workspace }: Running) => `/api/workspace/${workspace}/settings/pipeline`
type Settings = SettingsBody & { number: number }

export async function readSettings(assay: Running): Promise<Settings> {
  return (await assay.call('GET', pathOf(assay))).body.settings
}

export async function saveSettings(assay: Running, change: Partial<SettingsBody>): Promise<Settings> {
  const answer = await assay.call('PUT', pathOf(assay), { ...(await readSettings(assay)), ...change })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.settings
}

/** Until all weights are in force and all products are refined under the settings of now. */
export async function settled(assay: Running): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(50)) {
    const { body } = await assay.call('GET', pathOf(assay))
    if (!body.weights_pending && !body.refine_pending) return
  }
  throw new Error('the settings did not settle')
}
