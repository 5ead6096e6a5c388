/** Turns markup into text: blocks and line breaks become line breaks, scripts and styles go, what is no tag stays as it is. */

const words = (list: string) => new Set(list.split(' '))

const paragraphs = words('p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr figure section article')
const lines = words(
  'li tr div dt dd header footer main aside nav form fieldset address center caption thead tbody tfoot figcaption ' +
    'details summary option body html',
)
const cells = words('td th')
/** Their content is not text for readers. */
const hidden = words(
  'script style template noscript iframe object svg head select textarea video audio canvas math map',
)
const inline = words(
  'a abbr acronym b bdi bdo big cite code col colgroup data del dfn em embed font i img input ins kbd label legend link ' +
    'mark meta nobr optgroup param picture q rp rt ruby s samp small source span strike strong sub sup time title track tt u ' +
    'var wbr button base',
)

const tagName = /<\/?([a-z][a-z0-9]*(?:[:-][a-z0-9-]+)?)(?=[\s/>])/iy

/** Tags of HTML, and names that only a tag has: `o:p`, `my-widget`. */
const isTag = (name: string) =>
  name === 'br' ||
  paragraphs.has(name) ||
  lines.has(name) ||
  cells.has(name) ||
  hidden.has(name) ||
  inline.has(name) ||
  /[:-]/.test(name)

/** Characters that cleaned text never holds stand for breaks until their number and kind decide. */
const paragraphMark = '\u{fdd0}'
const lineMark = '\u{fdd1}'
const brMark = '\u{fdd2}'

function breakFor(name: string): string {
  if (name === 'br') return brMark
  if (paragraphs.has(name)) return paragraphMark
  if (lines.has(name)) return lineMark
  return cells.has(name) ? ' ' : ''
}

/** Line breaks of the source mean nothing beside those of the markup. */
function layOut(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/ ?[\u{fdd0}-\u{fdd2}][\u{fdd0}-\u{fdd2} ]*/gu, (marks) => {
    const empty = marks.includes(paragraphMark) || marks.split(brMark).length > 2
    return empty ? '\n\n' : '\n'
  })
}

/** End of the tag that opens at `from`; a `>` inside a quoted attribute does not end it. */
function tagEnd(html: string, from: number): number {
  const first = html.indexOf('>', from)
  let end = first
  for (let tries = 0; tries < 8 && end >= 0; tries++) {
    if (html.slice(from, end).split('"').length % 2 === 1) return end
    end = html.indexOf('>', end + 1)
  }
  return first
}

/** Each part of the text is looked at once or, for quotes, a few times: no input makes this slow. */
export function stripMarkup(html: string): string {
  let at = 0
  let lower: string | null = null
  const pieces: string[] = []
  let blocks = false
  for (;;) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    pieces.push(html.slice(at, open))
    const next = html[open + 1]
    if (next === '!' || next === '?') {
      const comment = html.startsWith('<!--', open)
      if (html.startsWith('<![CDATA[', open)) {
        const end = html.indexOf(']]>', open)
        pieces.push(html.slice(open + 9, end < 0 ? undefined : end))
        at = end < 0 ? html.length : end + 3
        continue
      }
      const end = html.indexOf(comment ? '-->' : '>', open + (comment ? 4 : 2))
      at = end < 0 ? html.length : end + (comment ? 3 : 1)
      continue
    }
    tagName.lastIndex = open
    const name = tagName.exec(html)?.[1]?.toLowerCase()
    const end = name && isTag(name) ? tagEnd(html, open) : -1
    if (!name || end < 0) {
      pieces.push('<')
      at = open + 1
      // Without a further `>` there is no further tag.
      if (name && html.indexOf('>', at) < 0) break
      continue
    }
    at = end + 1
    const mark = breakFor(name)
    blocks ||= mark !== '' && mark !== ' '
    if (mark) pieces.push(mark)
    if (hidden.has(name) && next !== '/' && html[end - 1] !== '/') {
      lower ??= html.toLowerCase()
      const close = lower.indexOf(`</${name}`, at)
      const after = close < 0 ? -1 : html.indexOf('>', close)
      at = after < 0 ? html.length : after + 1
    }
  }
  pieces.push(html.slice(at))
  const text = pieces.join('')
  return blocks ? layOut(text) : text
}
