#!/usr/bin/env node
/** The command line: `assay serve | migrate | token | ingest`, each command in a file of its own. */
import { ConfigError, readConfig } from '../config.ts'
import { StartError } from '../start-error.ts'
import { CommandError } from './command-error.ts'
import { ingest } from './ingest.ts'
import { migrateCommand } from './migrate.ts'
import { serve } from './serve.ts'
import { token } from './token.ts'

const commands = { serve, migrate: migrateCommand, token, ingest }

const usage = `Usage: assay <command>

  serve    [--port N] [--data DIR] [--no-sample]          start the server
  migrate                                                 bring the database to the present form
  token    --workspace WS --role ROLE [--brand ID] [--scope TEXT]
                                                          print a bearer token of the local issuer
  ingest   FILE [--workspace WS] [--catalog ID] [--source NAME] [--map COLUMN=field]... [--json]
                                                          import a file through a server (ASSAY_URL, ASSAY_TOKEN)
`

async function run(): Promise<number> {
  const [name, ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name ?? '') ? commands[name as keyof typeof commands] : undefined
  if (!command) {
    process.stderr.write(name === undefined || name === '--help' ? usage : `There is no command "${name}".\n\n${usage}`)
    return name === '--help' ? 0 : 2
  }
  return command(args, readConfig(process.env))
}

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof StartError || error instanceof ConfigError || error instanceof CommandError) {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    }
    const { code, path } = error as NodeJS.ErrnoException
    const known =
      code === 'ENOSPC' ? 'The disk is full.' : code === 'EACCES' ? `${path} may not be read or written.` : null
    process.stderr.write(`${known ?? `Assay failed: ${error instanceof Error ? error.message : error}`}\n`)
    process.exit(1)
  },
)
