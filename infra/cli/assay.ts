#!/usr/bin/env -S node --disable-warning=ExperimentalWarning --max-semi-space-size=32
/** The command line: `assay serve | migrate | migrate-log | token | ingest | verify | rebuild | replay | dead-letters | archive | backup | restore`, each command in a file of its own. */
import { isDiskFull, isStoreAway } from '../catalog/sql-errors.ts'
import { ConfigError, readConfig } from '../config.ts'
import { StartError } from '../start-error.ts'
import { CommandError } from './command-error.ts'

/** Each is loaded when it is asked for: a client of the API then starts in a fifth of the time. */
const commands = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  'migrate-log': async () => (await import('./migrate-log.ts')).migrateLog,
  token: async () => (await import('./token.ts')).token,
  ingest: async () => (await import('./ingest.ts')).ingest,
  verify: async () => (await import('./verify.ts')).verify,
  rebuild: async () => (await import('./rebuild.ts')).rebuild,
  replay: async () => (await import('./replay.ts')).replay,
  'dead-letters': async () => (await import('./dead-letters.ts')).deadLetters,
  archive: async () => (await import('./archive.ts')).archive,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restoreCommand,
}

const usage = `Usage: assay <command>

  serve    [--port N] [--data DIR] [--roles LIST] [--no-sample]
                                                          start the server, or some of its roles
  migrate                                                 bring the database to the present form
  migrate-log --to kafka|postgres [--partitions N]        move the log to another engine or number of partitions
  token    --workspace WS --role ROLE [--brand ID] [--scope TEXT] [--data DIR]
                                                          print a bearer token of the local issuer
  ingest   FILE [--workspace WS] [--catalog ID] [--source NAME] [--encoding NAME] [--sheet NAME]
           [--map COLUMN=field]... [--snapshot] [--dry-run] [--json]
                                                          import a file through a server (ASSAY_URL, ASSAY_TOKEN);
                                                          with --dry-run say what the import would do, and do nothing
  verify   --catalog ID [--workspace WS] [--sample N | --all] [--json]
                                                          compare a catalog with its log through a server
  rebuild  --catalog ID | --all [--workspace WS] [--json] make a catalog, or all of a workspace, anew from the log through a server
  replay   [--workspace WS] [--catalog ID | --brand ID] [--key PRODUCT]... [--import ID] [--from TIME] [--to TIME]
           [--offsets [EPOCH/]PARTITION:FROM-TO]... [--settings FILE] [--rate N] [--share S] [--out FILE] [--json]
                                                          replay the log into a shadow beside the live products and print
                                                          the verdict; promote ID makes it live, discard ID lets it go
  dead-letters [list | show ID | redrive [ID]... [--all] [--rate N] [--dry-run]] [--kind KIND] [--catalog ID]
           [--import ID] [--topic NAME] [--since TIME] [--until TIME] [--workspace WS] [--json]
                                                          what no step could read, and redriving it after a fix
  archive  [run | list | verify] [--json]                 write what the log has now to Parquet; show or check the files
  backup   --to FOLDER [--data DIR] [--json]              back up database, files and log positions at one point, also
                                                          of an Assay that runs
  backup   verify FOLDER [--json]                         read a backup through
  restore  --from FOLDER [--data DIR] [--json]            restore a backup where nothing is yet, and compare
`

async function run(): Promise<number> {
  const [name, ...args] = process.argv.slice(2)
  if (process.argv.slice(2).some((each) => each === '--help' || each === '-h')) {
    process.stdout.write(usage)
    return 0
  }
  const command = Object.hasOwn(commands, name ?? '') ? commands[name as keyof typeof commands] : undefined
  if (!command) {
    process.stderr.write(name === undefined ? usage : `There is no command "${name}".\n\n${usage}`)
    return 2
  }
  const config = readConfig(process.env)
  return (await command())(args, config)
}

// Whoever read our output may have gone (`assay … | head`): that is no failure of ours.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

run().then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof StartError || error instanceof ConfigError || error instanceof CommandError) {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    }
    const { code, path } = error as NodeJS.ErrnoException
    const known = isDiskFull(error)
      ? 'The disk is full.'
      : isStoreAway(error)
        ? 'Postgres does not answer.'
        : code === 'EACCES'
          ? `${path} may not be read or written.`
          : null
    process.stderr.write(`${known ?? `Assay failed: ${error instanceof Error ? error.message : error}`}\n`)
    process.exit(1)
  },
)
