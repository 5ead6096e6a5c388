/** How much of a file or a table is read, packed or unpacked at a time. */

const most = 1 << 18
const least = 1 << 12

/**
 * Each reader and each packer makes room for a whole piece before anything comes. Most of a hundred tables are small: with room of
 * 256 kB for each, to collect it was a quarter of what backing up and restoring a small Assay took.
 * @param bytes about how many there are
 */
export const pieceBytesFor = (bytes: number): number => Math.min(most, Math.max(least, bytes))
