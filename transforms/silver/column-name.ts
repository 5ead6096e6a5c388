/** The name of a column as every reader gives it: without what stands around it unseen. Names are compared exactly after this. */

const outerSpace = /^[\p{White_Space}\ufeff]+|[\p{White_Space}\ufeff]+$/gu

export const columnName = (written: string): string => written.replaceAll('\0', '').replace(outerSpace, '')
