/** One record of the topic `catalog.changes`: what one product of a catalog became for readers of its published versions. */

export interface CatalogChange {
  readonly v: 1
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  /** The log key, too. */
  readonly product: string
  /** Changes of a catalog are ordered by version, then product. */
  readonly version: number
  /** Of this change, from which `GET …/changes?after=` goes on. */
  readonly position: string
  readonly change: 'added' | 'modified' | 'removed'
  /** `deleted` and `undeleted`: the catalog itself went or came back, at its present version. */
  readonly cause: 'published' | 'deleted' | 'undeleted'
  /** ISO 8601, UTC: when the version was published, or the catalog went or came back. */
  readonly at: string
}
