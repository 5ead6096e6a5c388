/** Where a table lies in a backup. */
export const tableFile = (name: string): string => `tables/${name}.copy.zst`
