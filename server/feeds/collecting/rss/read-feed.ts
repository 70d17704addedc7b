import { createHash } from 'node:crypto'
import type { Item } from '../../../engine/context.ts'
import type { RssConfiguration as Configuration } from '../../transports/incoming/rss.ts'
import { type Collecting, type Collector, type Piece, TransportError } from '../collector.ts'
import { type Fetcher, fetcherOf, once } from '../fetcher.ts'
import { addressHash, conditionsOf, validatorsOf } from '../validators.ts'
import { type Article, pageOf } from './article.ts'
import { articlesIn } from './articles-in.ts'

const MAX_FEED_BYTES = 32 * 1024 * 1024
const MAX_ARTICLE_BYTES = 20 * 1024 * 1024
/** How many articles are remembered after the feed no longer lists them. */
const MAX_PAST_ARTICLES = 5000
/** After this many consecutive failures a run fetches no more pages, because each may take until the timeout. */
const MAX_CONSECUTIVE_FAILURES = 10
const HASH_LENGTH = 11
const MAX_NAME_LENGTH = 200

/** Reads the articles of a feed that are new or have changed, the oldest first. */
export const readArticles: Collector<Configuration> = async function* (collecting) {
  const { configuration, cursor, maxPieceBytes, log } = collecting
  const { url } = configuration
  const address = addressHash(url)
  const own = cursor?.address === address ? cursor : null
  const conditions = conditionsOf(own, url)
  const statuses = Object.keys(conditions).length > 0 ? [304] : []
  const fetcher = fetcherOf(collecting)
  const asked = {
    url,
    what: 'the feed',
    headers: conditions,
    mostBytes: Math.min(maxPieceBytes, MAX_FEED_BYTES),
    statuses,
  }
  const { opened, bytes } = await fetcher.read(asked)
  if (opened.status === 304) {
    log('The feed has not changed.')
    return
  }
  const articles = (await articlesIn(bytes, opened.url)).reverse()
  const seen = seenIn(own)
  const pages = { failures: 0 }
  for (const article of articles) {
    const [id, says] = [hashOf(article.id), hashOf(pageOf(article))]
    const before = seen.get(id)
    seen.set(id, says)
    if (before === says || before === UNKNOWN) continue
    const piece = await pieceOf(fetcher, collecting, article, pages)
    // Without validators, so that the feed is read again until all of it is stored.
    yield { piece, cursor: { address, articles: textOf(seen) } }
  }
  const current = new Set(articles.map(({ id }) => hashOf(id)))
  const earlier = [...seen].filter(([id]) => !current.has(id)).slice(-MAX_PAST_ARTICLES)
  const kept = new Map([...earlier, ...[...seen].filter(([id]) => current.has(id))])
  yield { cursor: { ...validatorsOf(url, opened.headers), articles: textOf(kept) } }
}

/** Short, because the cursor holds two hashes for each article: of its id and of its content. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH)

/** The content hash of articles that were read before these hashes were stored. */
const UNKNOWN = ''

const EACH_HASH = new RegExp(`.{${HASH_LENGTH}}`, 'g')

const textOf = (seen: ReadonlyMap<string, string>): string => [...seen].flat().join('')

/** The content hashes of articles that were read before, by the hash of their ids. */
function seenIn(cursor: Item | null): Map<string, string> {
  const hashes = (value: unknown): string[] => (typeof value === 'string' ? (value.match(EACH_HASH) ?? []) : [])
  const pairs = hashes(cursor?.articles)
  return new Map([
    ...hashes(cursor?.seen).map((id) => [id, UNKNOWN] as const),
    ...pairs.flatMap((id, at) => (at % 2 === 0 ? [[id, pairs[at + 1] ?? UNKNOWN] as const] : [])),
  ])
}

/** The page that an article links to, if it is wanted and can be fetched; otherwise the article as the feed has it. */
async function pieceOf(
  fetcher: Fetcher,
  { configuration, maxPieceBytes, log }: Collecting<Configuration>,
  article: Article,
  pages: { failures: number },
): Promise<Piece> {
  const about = { identity: article.id, link: article.link || null, published: article.date || null }
  const name = (article.title || article.link || article.id).slice(0, MAX_NAME_LENGTH).toWellFormed()
  if (configuration.fetch_articles && article.link !== '' && pages.failures < MAX_CONSECUTIVE_FAILURES) {
    try {
      const mostBytes = Math.min(maxPieceBytes, MAX_ARTICLE_BYTES)
      const { opened, bytes } = await fetcher.read({ url: article.link, what: 'the article', mostBytes })
      pages.failures = 0
      return { name, about, content: once(bytes), contentType: opened.headers['content-type'] ?? null }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      pages.failures++
      log(`The page of the article "${name}" was not fetched: ${error.message}.`)
    }
  }
  return { name, about, content: once(Buffer.from(pageOf(article))), contentType: 'text/html; charset=utf-8' }
}
