/** `assay backup --to FOLDER` and `assay backup verify FOLDER`: takes a backup of the system itself, and reads one through. */
import type { BackupManifest } from '../../schemas/backup.ts'
import { backUp } from '../backup/back-up.ts'
import { BackupDamaged } from '../backup/checksums.ts'
import { checkTable } from '../backup/load-tables.ts'
import { reachDatabase } from '../backup/reach-database.ts'
import { checkBackup } from '../backup/read-backup.ts'
import type { Config } from '../config.ts'
import { archiveFolder } from './archive-folder.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { grouped } from './progress.ts'
import { sizeLine } from './size-line.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

export async function backup(args: string[], config: Config): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    { to: { type: 'string' }, data: { type: 'string' }, json: { type: 'boolean', default: false } },
    2,
  )
  const [verb, folder] = positionals
  if (verb === 'verify') {
    if (folder === undefined) throw new CommandError('Say which backup to verify: assay backup verify FOLDER')
    return verifyBackup(folder, values.json)
  }
  if (verb !== undefined || values.to === undefined)
    throw new CommandError('Say where to: assay backup --to FOLDER, or which to verify: assay backup verify FOLDER')
  const { databaseUrl } = config
  const dataFolder = values.data ?? config.dataFolder
  const reached = await reachDatabase({ databaseUrl, dataFolder })
  const line = sizeLine('backup')
  try {
    const archive = archiveFolder(config, dataFolder)
    const order = { databaseUrl: reached.url, dataFolder, archiveFolder: archive, folder: values.to }
    report(await backUp({ ...order, onProgress: line.show }), values.to, values.json)
  } finally {
    line.end()
    await reached.leave()
  }
  return 0
}

function report(manifest: BackupManifest, folder: string, json: boolean): void {
  const { files, archive, log } = manifest
  const { tables, rows } = summary(manifest)
  if (json) {
    print(JSON.stringify(summary(manifest)))
    return
  }
  print(`Backed up to ${folder}: ${grouped(rows)} rows of ${tables} tables, ${grouped(files.count)} files.`)
  if (files.missing > 0)
    print(
      `${grouped(files.missing)} files that rows name were not in the spool; the restored system will say so of them.`,
    )
  if (files.altered > 0)
    print(`${grouped(files.altered)} files are not what was sent: their bytes are not those of their names.`)
  if (archive === null) print('The archive of the log is in a bucket and not in the backup.')
  if (archive && archive.missing > 0)
    print(`${grouped(archive.missing)} files of the archive are not there: see assay archive verify.`)
  if (log.engine !== 'postgres')
    print(
      `The log is kept by ${log.engine}, whose topics are in no backup; restored, it is read on from the positions in manifest.json.`,
    )
  print('It holds the keys of this installation: keep it as safe as the system itself.')
}

const summary = ({ id, takenAt, tables, files, archive }: BackupManifest) => ({
  ...{ id, takenAt, tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files, archive },
})

async function verifyBackup(folder: string, json: boolean): Promise<number> {
  const line = sizeLine('verify')
  try {
    const manifest = await checkBackup(folder, line.show)
    const total = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0)
    let done = 0
    for (const table of manifest.tables)
      await checkTable(table, folder, (bytes) => {
        done += bytes
        line.show(done, total)
      })
    line.end()
    const { tables, rows } = summary(manifest)
    if (json) print(JSON.stringify(summary(manifest)))
    else
      print(
        `The backup of ${manifest.takenAt} is whole: ${grouped(rows)} rows of ${tables} tables, ${grouped(manifest.files.count)} files.`,
      )
    return 0
  } catch (error) {
    line.end()
    if (error instanceof BackupDamaged) throw new CommandError(`${error.message}.`)
    throw error
  }
}
