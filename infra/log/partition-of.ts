/** The partition of a key, the same on every engine, so that a product keeps its partition when the log moves. */
import { endOfUuid } from '../uuid.ts'

/**
 * The last four bytes: the first ones of a UUIDv7 are its time, which would send every event of a second to one partition.
 * @returns NaN for what is no UUID
 */
export const partitionOf = (key: string, partitions: number): number => endOfUuid(key) % partitions
