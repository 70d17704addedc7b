import { createHash } from 'node:crypto'
import type { Item } from '../../../engine/resource.ts'
import type { RssConfiguration as Configuration } from '../../transports/incoming/rss.ts'
import { type Collecting, type Collector, type Piece, TransportError } from '../collector.ts'
import { type Fetcher, fetcherOf, once } from '../fetcher.ts'
import { addressHash, conditionsOf, validatorsOf } from '../validators.ts'
import { type Article, pageOf } from './article.ts'
import { articlesIn } from './articles-in.ts'

const FEED_BYTES = 32 * 1024 * 1024
const ARTICLE_BYTES = 20 * 1024 * 1024
/** Articles that are remembered beyond those that the feed has. */
const MOST_EARLIER = 5000
/** Pages that fail one after another until no more are fetched in a run: each may take its time. */
const MOST_FAULTS = 10
const HASH = 11
const LONGEST_NAME = 200

/** Reads the articles of a feed that are new or have changed, the oldest first. */
export const readArticles: Collector<Configuration> = async function* (collecting) {
  const { configuration, cursor, largest, log } = collecting
  const { url } = configuration
  const address = addressHash(url)
  const own = cursor?.address === address ? cursor : null
  const conditions = conditionsOf(own, url)
  const statuses = Object.keys(conditions).length > 0 ? [304] : []
  const fetcher = fetcherOf(collecting)
  const asked = { url, what: 'the feed', headers: conditions, mostBytes: Math.min(largest, FEED_BYTES), statuses }
  const { opened, bytes } = await fetcher.read(asked)
  if (opened.status === 304) {
    log('The feed has not changed.')
    return
  }
  const articles = (await articlesIn(bytes, opened.url)).reverse()
  const seen = seenIn(own)
  const pages = { faults: 0 }
  for (const article of articles) {
    const [id, says] = [hashOf(article.id), hashOf(pageOf(article))]
    const before = seen.get(id)
    seen.set(id, says)
    if (before === says || before === UNKNOWN) continue
    const piece = await pieceOf(fetcher, collecting, article, pages)
    // Without what tells that the feed has not changed: it has to be read again until all of it is stored.
    yield { piece, cursor: { address, articles: textOf(seen) } }
  }
  const current = new Set(articles.map(({ id }) => hashOf(id)))
  const earlier = [...seen].filter(([id]) => !current.has(id)).slice(-MOST_EARLIER)
  const kept = new Map([...earlier, ...[...seen].filter(([id]) => current.has(id))])
  yield { cursor: { ...validatorsOf(url, opened.headers), articles: textOf(kept) } }
}

/** Short, because the cursor holds two for each article: which one it is, and what it says. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, HASH)

/** What an article said that was read before this was remembered. */
const UNKNOWN = ''

const EACH_HASH = new RegExp(`.{${HASH}}`, 'g')

const textOf = (seen: ReadonlyMap<string, string>): string => [...seen].flat().join('')

/** What articles said when they were last read, by which they are. */
function seenIn(cursor: Item | null): Map<string, string> {
  const hashes = (value: unknown): string[] => (typeof value === 'string' ? (value.match(EACH_HASH) ?? []) : [])
  const pairs = hashes(cursor?.articles)
  return new Map([
    ...hashes(cursor?.seen).map((id) => [id, UNKNOWN] as const),
    ...pairs.flatMap((id, at) => (at % 2 === 0 ? [[id, pairs[at + 1] ?? UNKNOWN] as const] : [])),
  ])
}

/** The page that an article leads to where that is asked for and to be had, else the article as the feed has it. */
async function pieceOf(
  fetcher: Fetcher,
  { configuration, largest, log }: Collecting<Configuration>,
  article: Article,
  pages: { faults: number },
): Promise<Piece> {
  const about = { identity: article.id, link: article.link || null, published: article.date || null }
  const name = (article.title || article.link || article.id).slice(0, LONGEST_NAME).toWellFormed()
  if (configuration.fetch_articles && article.link !== '' && pages.faults < MOST_FAULTS) {
    try {
      const mostBytes = Math.min(largest, ARTICLE_BYTES)
      const { opened, bytes } = await fetcher.read({ url: article.link, what: 'the article', mostBytes })
      pages.faults = 0
      return { name, about, content: once(bytes), contentType: opened.headers['content-type'] ?? null }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      pages.faults++
      log(`The page of the article "${name}" was not fetched: ${error.message}.`)
    }
  }
  return { name, about, content: once(Buffer.from(pageOf(article))), contentType: 'text/html; charset=utf-8' }
}
