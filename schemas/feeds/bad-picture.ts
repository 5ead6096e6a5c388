/** For platforms that take JPEG and PNG alone: complains of an image whose name says that it is something else. */

/**
 * A name decides nothing in favour of an image, and what has no ending may be anything; but who calls a file .webp says that
 * it is refused.
 */
const otherKinds = new Set(['webp', 'gif', 'avif', 'svg', 'bmp', 'tif', 'tiff', 'heic'])

export function badPicture(address: string): string | null {
  const query = address.indexOf('?')
  const end = query < 0 ? address.length : query
  const dot = address.lastIndexOf('.', end)
  if (dot < 0 || end - dot > 5 || end - dot < 4) return null
  const kind = address.slice(dot + 1, end).toLowerCase()
  return otherKinds.has(kind) ? `The image is a .${kind}; send a JPEG or PNG` : null
}
