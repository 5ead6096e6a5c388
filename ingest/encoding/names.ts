/** The encodings that files come in, as callers name them: all of the WHATWG Encoding Standard, so that the runtime decodes them. */

export const encodingNames = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-9',
  'iso-8859-13',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'macintosh',
  'x-mac-cyrillic',
  'shift_jis',
  'euc-jp',
  'gbk',
  'gb18030',
  'big5',
  'euc-kr',
] as const

export type EncodingName = (typeof encodingNames)[number]

export const isEncodingName = (name: string): name is EncodingName =>
  (encodingNames as readonly string[]).includes(name)

/** As people know them: what Windows calls Shift_JIS and EUC-KR are code pages that hold more than the standards. */
const shown: Partial<Record<EncodingName, string>> = {
  shift_jis: 'SHIFT_JIS (CP932)',
  'euc-kr': 'EUC-KR (CP949)',
  gb18030: 'GB18030 (GBK)',
  ibm866: 'CP866',
  macintosh: 'MACINTOSH',
}

export const shownName = (encoding: EncodingName): string => shown[encoding] ?? encoding.toUpperCase()
