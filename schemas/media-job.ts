/** Media jobs as data: their states, and the moves between these. */
export const mediaStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const
export type MediaStatus = (typeof mediaStatuses)[number]

/** One that still waits may be cancelled too (DESIGN 7). The database refuses every other move (migration 009). */
export const mediaMoves: Readonly<Record<MediaStatus, readonly MediaStatus[]>> = {
  pending: ['processing', 'cancelled'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

/** States that a media job may come from. */
export const mediaBefore = (to: MediaStatus): readonly MediaStatus[] =>
  mediaStatuses.filter((from) => mediaMoves[from].includes(to))
