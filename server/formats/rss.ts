/** RSS 2.0 around items that ClickHouse wrote. */

/** What a feed says of itself: its name and meaning, and where it was asked for. */
export interface Channel {
  readonly title: string
  readonly description: string
  readonly self: string
  readonly docs: string
}

const escaped = (text: string): string => text.replace(/[<>&"']/g, (one) => `&#${one.codePointAt(0)};`)

export const openingOfFeed = ({ title, description, self, docs }: Channel): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${escaped(title)}</title>
<link>${escaped(docs)}</link>
<description>${escaped(description)}</description>
<atom:link href="${escaped(self)}" rel="self" type="application/rss+xml"/>
`)

export const closingOfFeed = '</channel>\n</rss>\n'
