/** `assay restore --from FOLDER`: puts a backup into an empty data folder and database, and compares; the exit code is 0 only where all is the same. */
import type { BackupManifest } from '../../schemas/backup.ts'
import { BackupDamaged } from '../backup/checksums.ts'
import type { Compared } from '../backup/load-tables.ts'
import { checkBackup } from '../backup/read-backup.ts'
import { restore } from '../backup/restore.ts'
import { migrationsFor } from '../backup/restore-database.ts'
import type { Config } from '../config.ts'
import { archiveFolder } from './archive-folder.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { grouped } from './progress.ts'
import { sizeLine } from './size-line.ts'
import { table } from './table.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

export async function restoreCommand(args: string[], config: Config): Promise<number> {
  const { values } = readArguments(args, {
    from: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
  })
  const { from: folder, json } = values
  if (folder === undefined) throw new CommandError('Say which backup to restore: assay restore --from FOLDER')
  const dataFolder = values.data ?? config.dataFolder
  const into = { databaseUrl: config.databaseUrl, dataFolder, archiveFolder: archiveFolder(config, dataFolder) }
  const lines = { check: sizeLine('check'), load: sizeLine('load'), compare: sizeLine('compare') }
  try {
    const manifest = await checkBackup(folder, lines.check.show)
    await migrationsFor(manifest)
    lines.check.end()
    const compared = await restore({
      ...{ folder, manifest, into },
      onProgress: (phase, done, total) => lines[phase].show(done, total),
    })
    for (const line of Object.values(lines)) line.end()
    return report(manifest, compared, dataFolder, json)
  } catch (error) {
    for (const line of Object.values(lines)) line.end()
    if (error instanceof BackupDamaged) throw new CommandError(`${error.message}.`)
    throw error
  }
}

function report(manifest: BackupManifest, compared: readonly Compared[], dataFolder: string, json: boolean): number {
  const differing = compared.filter(({ same }) => !same)
  if (json) print(JSON.stringify({ id: manifest.id, takenAt: manifest.takenAt, compared }))
  else {
    const shown = compared.filter(({ rows, same }) => rows > 0 || !same)
    const rows = shown.map((one) => [one.table, one.rows, one.restored, one.same ? 'same' : 'DIFFERS'])
    if (rows.length > 0) print(table([['table', 'backup', 'restored', 'digest'], ...rows]))
    if (compared.length > shown.length) print(`${compared.length - shown.length} tables are empty in both`)
  }
  if (differing.length > 0) {
    process.stderr.write(
      `${grouped(differing.length)} tables are not as they were backed up; nothing of them was kept.\n`,
    )
    return 1
  }
  if (!json) print(`Restored the backup of ${manifest.takenAt} into ${dataFolder}; assay serve goes on from there.`)
  return 0
}
