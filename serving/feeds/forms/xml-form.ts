/** Writes the lines of a feed as an XML document that is well formed whatever a product says (KF-18). */
import type { FeedXml } from '../../../schemas/feeds/profile.ts'
import { categoryElements } from './category-elements.ts'
import { escaped, escapedBytes, inQuotes } from './escaped.ts'
import type { AboutFeed, WrittenForm } from './feed-form.ts'
import { type LineRows, pageRows } from './page-rows.ts'
import { copyTo, plainReader, put } from './plain-line.ts'

/** A name that a profile of one's own gives may be none in XML. */
const xmlName = /^[A-Za-z_][\w.-]*$/
const named = (name: string) => (xmlName.test(name) ? name : `_${name.replace(/[^\w.-]/g, '_')}`)

/** What a head says of the feed, by the name in its braces. */
const said = {
  title: ({ title }: AboutFeed) => escaped(title),
  link: ({ link }: AboutFeed) => escaped(link),
  /** An attribute, to the minute and with its offset. */
  date: ({ at }: AboutFeed) => (at === undefined ? '' : ` date="${new Date(at).toISOString().slice(0, 16)}+00:00"`),
  categories: ({ categories = [] }: AboutFeed) => categoryElements(categories),
}

interface Tags {
  readonly name: string
  readonly open: string
  readonly close: string
  readonly attributes: readonly string[]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export function xmlForm(xml: FeedXml): WrittenForm {
  const { prefix = '', bare = [], nested, item } = xml
  // A key may be one that every object has.
  const attributes = new Map(Object.entries(xml.attributes ?? {}))
  const known = new Map<string, Tags>()

  function tagsOf(key: string): Tags {
    const before = known.get(key)
    if (before) return before
    const name = (bare.includes(key) ? '' : prefix) + named(key)
    const tags = { name, open: `<${name}>`, close: `</${name}>\n`, attributes: attributes.get(key) ?? [] }
    // Names of attributes are few; those of a profile of one's own are checked before and few as well.
    if (known.size < 1000) known.set(key, tags)
    return tags
  }

  function element(key: string, value: unknown): string {
    if (value === undefined || value === null) return ''
    const tags = tagsOf(key)
    if (typeof value === 'string') return tags.open + escaped(value) + tags.close
    if (Array.isArray(value)) {
      let text = ''
      for (const one of value) text += element(key, one)
      return text
    }
    if (!isObject(value)) return tags.open + String(value) + tags.close
    return nested ? withChildren(tags, value) : tags.open + escaped(JSON.stringify(value)) + tags.close
  }

  function withChildren({ name, close, attributes: own }: Tags, value: Readonly<Record<string, unknown>>): string {
    let opening = `<${name}`
    let inside = ''
    for (const key in value) {
      const one = value[key]
      if (one === undefined || one === null) continue
      if (own.includes(key)) opening += ` ${named(key)}="${inQuotes(String(one))}"`
      else if (own.length > 0 && key === 'value') inside += escaped(String(one))
      else inside += element(key, one)
    }
    return `${opening}>${inside}${close}`
  }

  const itemTags: Tags = {
    name: item,
    open: `<${item}>`,
    close: `</${item}>\n`,
    attributes: attributes.get(item) ?? [],
  }

  const rows: LineRows = {
    row: (line) => withChildren(itemTags, line),
    plainRow: itemTags.attributes.length > 0 ? () => false : plainItems(itemTags, tagsOf),
  }

  return {
    contentType: 'application/xml; charset=utf-8',
    extension: 'xml',
    head: (about) =>
      xml.head.replace(/\{(title|link|date|categories)\}/g, (_, name: keyof typeof said) => said[name](about)),
    row: rows.row,
    rows: pageRows(rows),
    tail: () => xml.tail,
  }
}

/** Plain lines as items. */
function plainItems(item: Tags, tagsOf: (key: string) => Tags): LineRows['plainRow'] {
  const bytesOf = ({ open, close }: Tags) => ({ open: Buffer.from(open), close: Buffer.from(close) })
  const own = bytesOf(item)
  const read = plainReader((key) => bytesOf(tagsOf(key)), {
    text({ open, close }, place) {
      put(place, open)
      escapedBytes(place)
      put(place, close)
    },
    listEnds() {},
    bare({ open, close }, place, to) {
      put(place, open)
      copyTo(place, to)
      put(place, close)
    },
  })
  return (place, to) => {
    put(place, own.open)
    if (!read(place, to)) return false
    put(place, own.close)
    return true
  }
}
