/** What those who write product_rank have in common: the lock, and the score as SQL. */

/**
 * Shared by who follows; who builds ranks of new weights holds it alone, chunk by chunk, so that none is built from a score of
 * before. Of those who follow, one at a time: another process's older look at a score must not be written after this one's.
 */
export const shareRank = `select pg_advisory_xact_lock_shared(1634956409, 8), pg_advisory_xact_lock(1634956409, 9)`
export const lockRank = `select pg_advisory_xact_lock(1634956409, 8)`

/** The integer formula of \`schemas/score.ts\` over product_score s and weights_version v. */
export const scoreSql = `
  (s.s1::bigint * v.w[1] + s.s2::bigint * v.w[2] + s.s3::bigint * v.w[3] + s.s4::bigint * v.w[4] + s.s5::bigint * v.w[5]
   + s.s6::bigint * v.w[6] + s.s7::bigint * v.w[7] + 500000) / 1000000`
