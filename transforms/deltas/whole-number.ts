/** Whole numbers for what is known by a UUID or an address here: targets that number things want them, the same each time. */
import { hash52 } from '../duplicates/hash-text.ts'

/** 52 bits, which a number holds exactly; of a million products two are alike once in nine thousand catalogs. */
export const wholeNumber = (text: string): number => hash52(text)
