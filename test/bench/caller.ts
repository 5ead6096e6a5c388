/** Calls a benchmark's server as the admin of its workspace. */
import { type Serving, workspace } from './serving.ts'

/** @param path below the workspace's own @throws where the answer is no success */
export type Call = <T>(method: string, path: string, body?: object) => Promise<T>

export const caller =
  ({ url, token }: Pick<Serving, 'url' | 'token'>): Call =>
  async <T>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/api/workspace/${workspace}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

/** The catalog that imports without a name go into. */
export async function onlyCatalog(call: Call): Promise<string> {
  const { catalogs } = await call<{ catalogs: { id: string }[] }>('GET', '/catalogs')
  const [catalog] = catalogs
  if (!catalog) throw new Error('there is no catalog')
  return catalog.id
}

/** @returns the id of the job that the call starts */
export const startJob = async (call: Call, path: string): Promise<string> =>
  (await call<{ job: { id: string } }>('POST', path, {})).job.id
