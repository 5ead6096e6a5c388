/** Google's document of a feed, RSS 2.0 with attributes in a namespace of its own; other platforms read it too. G-rss */
import type { FeedXml } from './profile.ts'

export const rss: FeedXml = {
  head: [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">',
    '<channel>',
    '<title>{title}</title>',
    '<link>{link}</link>',
    '<description>{title}</description>',
    '',
  ].join('\n'),
  item: 'item',
  tail: '</channel>\n</rss>\n',
  prefix: 'g:',
  // Of RSS itself, which Google reads as its own.
  bare: ['title', 'link', 'description'],
}
