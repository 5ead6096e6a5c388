/** The variables that name an archive to a child process. */
import type { Config } from '../config.ts'

export function archiveVariables(place: Config['archive']): Record<string, string> {
  if (place.bucket === undefined) return { ASSAY_ARCHIVE: place.folder }
  return {
    ASSAY_ARCHIVE: `s3://${place.bucket}/${place.prefix}`,
    ASSAY_S3_ENDPOINT: place.endpoint,
    ASSAY_S3_REGION: place.region,
    ASSAY_S3_KEY_ID: place.keyId,
    ASSAY_S3_SECRET: place.secret,
  }
}
