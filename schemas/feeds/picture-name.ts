/** What an image's name says that it is, where that is something else than a JPEG or PNG; most names say nothing of the kind. */

export interface PictureName {
  readonly ending: string
  /** As the first bytes of such a file would say. */
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  ...{ webp: 'webp', gif: 'gif', bmp: 'bmp', tif: 'tiff', tiff: 'tiff', avif: 'avif', heic: 'heic', heif: 'heic' },
  ...{ svg: 'svg', svgz: 'svg', jxl: 'jxl', ico: 'ico', psd: 'psd' },
}
const names = new Map(Object.entries(types).map(([ending, type]): [string, PictureName] => [ending, { ending, type }]))

export function pictureName(address: string): PictureName | null {
  const query = address.indexOf('?')
  const end = query < 0 ? address.length : query
  const dot = address.lastIndexOf('.', end)
  if (dot < 0 || end - dot > 5 || end - dot < 4) return null
  return names.get(address.slice(dot + 1, end).toLowerCase()) ?? null
}
