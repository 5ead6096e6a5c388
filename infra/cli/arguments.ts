/** Reads a command's arguments, and says in one sentence what is wrong with them. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

export function readArguments<T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}
