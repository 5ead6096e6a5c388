/** Reads a command's arguments, and says in one sentence what is wrong with them. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

/** @param operands how many arguments without a flag the command takes at most */
export function readArguments<T extends ParseArgsOptionsConfig>(args: string[], options: T, operands = 0) {
  const read = parse(args, options)
  const surplus = read.positionals[operands]
  if (surplus !== undefined) throw new CommandError(`"${surplus}" is one argument too many; see assay --help.`)
  return read
}

function parse<T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    // Node's own words go on with advice on how to pass a file that is named like a flag.
    const [said] = (error instanceof Error ? error.message : String(error)).split(/\.\s/)
    throw new CommandError(`${said}; see assay --help.`)
  }
}
