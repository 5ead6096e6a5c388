/** Reads what a TypeScript file imports, without a compiler: enough for code that Biome has formatted. */
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly text: string
}

export interface Import {
  /** A path of the repository, `npm:package`, or `node:module`. */
  readonly target: string
  /** Erased before the file runs. `import { type A }` is not: it still loads the module. */
  readonly typeOnly: boolean
}

const stringOrComment = /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

/** The text without its comments; strings stay. */
export const codeOf = (text: string) => text.replace(stringOrComment, (_, string?: string) => string ?? ' ')

/** `import … from`, `export … from` and `import '…'`; the clause ends where another statement begins. */
const statement =
  /^[ \t]*(?:import|export)\b(\s+type\b(?!\s*(?:from|,)))?(?:(?:(?!^[ \t]*(?:import|export)\b)[^'"`;=()])*?\bfrom)?\s*(['"])([^'"\n]+)\2/gm
/** Imports while running. `typeof import('…')` is a type. */
const expression = /(?<!\btypeof\s+)\b(?:import|require)\(\s*(['"`])([^'"`\n]+)\1/g

function targetOf(path: string, specifier: string): string {
  if (/^\.{0,2}\//.test(specifier)) return posix.join(posix.dirname(path), specifier)
  if (isBuiltin(specifier)) return `node:${specifier.replace(/^node:/, '')}`
  const [scope = '', name] = specifier.split('/')
  return `npm:${scope.startsWith('@') ? `${scope}/${name}` : scope}`
}

export function importsOf({ path, text }: SourceFile): readonly Import[] {
  const code = codeOf(text)
  const statements = [...code.matchAll(statement)].map(([, type, , specifier = '']) => ({
    target: targetOf(path, specifier),
    typeOnly: type !== undefined,
  }))
  const expressions = [...code.matchAll(expression)].map(([, , specifier = '']) => ({
    target: targetOf(path, specifier),
    typeOnly: false,
  }))
  return [...statements, ...expressions]
}
