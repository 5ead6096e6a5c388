/** Reads the escapes by which Excel writes characters that XML cannot hold. */

const escaped = /_x([0-9a-f]{4})_/gi

export const excelText = (text: string): string =>
  text.includes('_x')
    ? text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
