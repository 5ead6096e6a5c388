/** Where the archive's files are kept; names have slashes, and what has a name is whole. */
export interface ArchiveStore {
  /** As a person would name it: a folder, or s3://bucket/prefix. */
  readonly place: string
  /** A path on this machine to write a file to before it is kept. */
  draft(name: string): Promise<string>
  /** Gives the draft its name, durably. @param sha256 of its bytes, in hex */
  keep(name: string, sha256: string): Promise<void>
  /**
   * A path on this machine to read it from.
   * @param fresh as it is in the store now, and not as it was once read
   * @throws ArchiveFileGone
   */
  local(name: string, fresh?: boolean): Promise<string>
  /** And its draft; it need not be there. */
  remove(name: string): Promise<void>
  /** All Parquet files that are there, whoever made them. */
  parquetNames(): AsyncIterable<string>
}

export class ArchiveFileGone extends Error {
  override readonly name = 'ArchiveFileGone'
}
