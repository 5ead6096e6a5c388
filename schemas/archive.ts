/** What the archive says of one of its files: the manifest, as it stands beside the file and in the database. */
import { z } from 'zod'

/** As a topic of the archive: what the products of a topic had come to at the ends of months. */
export const layersOf = (topic: string) => `${topic}.layers`
export const isLayers = (topic: string) => topic.endsWith('.layers')

const whole = z.int().min(0)

export const archivedRange = z.strictObject({
  epoch: whole,
  topic: z.string(),
  partition: whole,
  from: whole,
  /** One past the last offset. */
  to: whole,
  /** Below the archive's folder, with slashes. */
  path: z.string().regex(/^[a-z0-9._-]+\/day=\d{4}-\d\d-\d\d\/[0-9a-f-]+\.parquet$/),
  records: whole,
  /** Of the values, before they are packed. */
  valueBytes: whole,
  fileBytes: whole,
  /** Of the file. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type ArchivedRange = z.infer<typeof archivedRange>
