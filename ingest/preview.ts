/** Takes a file in to be looked at: answers with what its beginning tells, and starts the dry run of the whole. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Field } from '../schemas/product.ts'
import { type AcceptPorts, type Offer, receive } from './accept.ts'
import { type FirstLook, firstLook } from './first-look.ts'

export interface Previewed extends FirstLook {
  readonly id: string
  readonly job: string
  /** That an import of it would have, and why. */
  readonly source: { readonly name: string; readonly reason: string }
}

/** What a preview's file is called in the spool: it goes when the preview does, so no other has its name. */
export const previewPrefix = 'preview-'

/** @throws TableError where the file cannot be read as a table at all; then nothing of it is kept */
export async function preview(offer: Offer, ports: AcceptPorts): Promise<Previewed> {
  const id = randomUUID()
  const name = `${previewPrefix}${id}`
  try {
    const { row, table } = await receive(offer, ports, id, name)
    const settings = await ports.store.settings(offer.workspace)
    const look = await firstLook(table, row.source, settings, (row.options.map ?? {}) as Record<string, Field>)
    await ports.store.startPreview(row, offer.notify ?? null)
    const source = { name: row.source.replace(/^file:/, ''), reason: row.options.sourceReason ?? '' }
    return { id, job: row.job, source, ...look }
  } catch (error) {
    await rm(join(ports.spoolFolder, name), { force: true })
    throw error
  }
}
