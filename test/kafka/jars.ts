/** The jars of a Kafka broker, and of programs beside it: from Maven once, then from a folder that all runs on this machine share. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const fetchWithinMs = 300_000

export interface Jars {
  readonly pom: string
  /** Named for the version in the pom. */
  readonly folder: string
}

export const ofBroker: Jars = { pom: join(import.meta.dirname, 'pom.xml'), folder: join(tmpdir(), 'assay-kafka-4.4.0') }

/** A sentence where there can be no broker on this machine; null where there can. */
export async function whyNoBroker(): Promise<string | null> {
  for (const [program, version] of [
    ['java', '-version'],
    ['mvn', '--version'],
  ] as const) {
    if (program === 'mvn' && (await isThere(ofBroker))) continue
    const found = await run(program, [version]).then(
      () => true,
      () => false,
    )
    if (!found) return `The tests on a real Kafka broker need ${program}, which is not installed.`
  }
  return null
}

/** @returns the class path */
export const kafkaJars = () => jarsOf(ofBroker)

/** Of what a pom depends on. @returns the class path */
export async function jarsOf(jars: Jars): Promise<string> {
  if (!(await isThere(jars))) await fetchJars(jars)
  return join(jars.folder, '*')
}

export const isThere = ({ folder }: Pick<Jars, 'folder'>) =>
  readdir(folder).then(
    (names) => names.length > 0,
    () => false,
  )

/** Under its name at once or not at all: two test files may fetch it at the same time. */
async function fetchJars({ pom, folder }: Jars): Promise<void> {
  const own = await mkdtemp(`${folder}-`)
  try {
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:copy-dependencies'
    await run('mvn', ['-q', '-B', '-f', pom, goal, `-DoutputDirectory=${own}`], { timeout: fetchWithinMs })
    await rename(own, folder).catch(async (error: unknown) => {
      if (!(await isThere({ folder }))) throw error
    })
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
