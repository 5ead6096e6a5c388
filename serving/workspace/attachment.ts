/** The Content-Disposition of a download (RFC 6266): a name in ASCII, and the whole one for who can read it. */

/** @param end what the name ends with, as `.csv` */
export function attachment(name: string, end: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
  const whole = encodeURIComponent(name.toWellFormed().replace(/[/\\]/g, '-')).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${ascii.slice(0, 80) || 'catalog'}${end}"; filename*=UTF-8''${whole}${end}`
}
