/** How long is kept what can be asked back. */

export const retention = {
  /** A version is kept while it is young or among the latest; the present one always is. */
  versions: { days: 30, atLeast: 10 },
  /** A deleted catalog can be brought back this long. */
  deletedCatalogDays: 7,
  /** Files as they were sent, after the last import of the same bytes; a held import's is kept until someone decides. */
  importFileDays: 90,
  /** Events, counted from when they happened; a workspace may say otherwise within these. */
  events: { days: 400, atLeast: 1, atMost: 3_650 },
  /** Single products of a visibility snapshot; the snapshot itself as long as its catalog. */
  visibleProductDays: 90,
  /** Notifications, and mail that was sent or given up. */
  toldDays: 90,
  /** What was sent to webhooks, with each attempt. */
  deliveryDays: 30,
  /** Events that were told, so that a cause that is met again tells nothing again. */
  outboxDays: 7,
  /** A file that was previewed, so that it can be imported without being sent again. */
  previewDays: 2,
  /** Lines of a feed that nobody reads any more: who comes later has them made anew. */
  unreadFeedDays: 30,
  /** Single products of a forecast; its counts stay with the job. */
  forecastDays: 30,
  /** An upload that is not complete, since its last part. */
  uploadDays: 7,
} as const
