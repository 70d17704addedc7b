import { DocumentError, documentOf } from '../../../formats/document.ts'
import { type IsContainer, readXml } from '../../../formats/xml/read-xml.ts'
import { TransportError } from '../collector.ts'
import { hostOf } from '../transport-errors.ts'
import { type Article, articleOf } from './article.ts'

const MAX_ARTICLES = 10_000
const ROOTS = new Set(['rss', 'RDF', 'feed'])

/** The articles of a document in RSS 2.0, RSS 1.0 or Atom, in their order; `url` is the address of the document. */
export async function articlesIn(bytes: Buffer, url: string): Promise<Article[]> {
  const articles: Article[] = []
  try {
    for await (const event of readXml(documentOf(bytes), isContainer)) {
      if (event.kind !== 'element' || !['item', 'entry'].includes(event.element.name)) continue
      articles.push(articleOf(event.element, url))
      if (articles.length > MAX_ARTICLES) {
        throw new TransportError('too-large', `the feed of ${hostOf(url)} has more than ${MAX_ARTICLES} articles`)
      }
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new TransportError('malformed', `the feed of ${hostOf(url)} cannot be read: ${error.message}`)
  }
  return articles
}

/** RSS 2.0 has items inside the channel; RSS 1.0 and Atom have them directly below the root. */
const isContainer: IsContainer = ({ name, line }, outer) => {
  if (outer.length === 0 && !ROOTS.has(name)) throw new DocumentError(`line ${line}: it is neither RSS nor Atom`)
  return outer.length === 0 || (outer.length === 1 && outer[0]?.name === 'rss' && name === 'channel')
}
