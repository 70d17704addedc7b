import type { Taxii2Configuration as Configuration } from '../../transports/incoming/taxii2.ts'
import { type Collecting, type Collector, TransportError } from '../collector.ts'
import { type Fetcher, fetcherOf, once } from '../fetcher.ts'
import { addressHash } from '../validators.ts'
import { ACCEPT_TAXII, below, findCollection } from './find-collection.ts'
import { advance, cursorOf, type Position, pageOf, positionIn } from './position.ts'

const MAX_PAGE_BYTES = 64 * 1024 * 1024
/** The limit of one run; the next one continues from there. */
const MAX_PAGES = 10_000
const MAX_EMPTY_PAGES = 20

/** Polls a collection page by page; each page is an unmodified piece. */
export const pollCollection: Collector<Configuration> = async function* (collecting) {
  const { configuration, log } = collecting
  const { url, collection_id, added_after } = configuration
  const key = addressHash(`${url} ${collection_id}`)
  const fetcher = fetcherOf(collecting)
  const collection = await findCollection(fetcher, collecting)
  const start: Position = { addedAfter: added_after, next: null, newest: null, began: null }
  let position = (collecting.isWhole ? undefined : positionIn(collecting.cursor, key)) ?? start
  const asked = new Set([keyOf(position)])
  let empty = 0
  for (let number = 1; number <= MAX_PAGES; number++) {
    const page = await readPage(fetcher, collecting, collection, position, number === 1)
    if (page === undefined) {
      log('The server no longer accepts the position of the last poll: this poll starts over.')
      position = { ...position, next: null, newest: null }
      continue
    }
    empty = page.count === 0 ? empty + 1 : 0
    if (empty > MAX_EMPTY_PAGES)
      throw new TransportError('malformed', 'the server returns one empty page after another')
    position = advance(position, page)
    if (page.more) refuseRepetition(asked, position)
    const name = `${collection_id} page ${number}.json`
    const piece = { name, content: once(page.bytes), contentType: page.contentType }
    yield { ...(page.count > 0 && { piece }), cursor: cursorOf(key, position) }
    if (!page.more) return
  }
  if (collecting.isWhole) {
    throw new TransportError(
      'too-large',
      `the collection has more than ${MAX_PAGES} pages, too many to fetch on every run`,
    )
  }
  log(`There are more than ${MAX_PAGES} pages: the next run continues from here.`)
}

/** Undefined if the server does not accept the position that it gave to an earlier run. */
async function readPage(
  fetcher: Fetcher,
  { configuration, maxPieceBytes }: Collecting<Configuration>,
  collection: string,
  { addedAfter, next }: Position,
  isFirst: boolean,
) {
  const address = new URL(below(collection, 'objects/'))
  if (addedAfter !== null) address.searchParams.set('added_after', addedAfter)
  address.searchParams.set('limit', String(configuration.page_size))
  if (next !== null) address.searchParams.set('next', next)
  const statuses = isFirst && next !== null ? [400, 404, 410, 422] : []
  const mostBytes = Math.min(maxPieceBytes, MAX_PAGE_BYTES)
  const asked = { url: address.href, what: 'a page of objects', headers: ACCEPT_TAXII, mostBytes, statuses }
  const { opened, bytes, value } = await fetcher.readJson(asked)
  if (opened.status !== 200) return undefined
  return { ...pageOf(value, opened.headers), bytes, contentType: opened.headers['content-type'] ?? null }
}

/** A server that repeats a position would be polled forever. */
function refuseRepetition(asked: Set<string>, position: Position): void {
  const key = keyOf(position)
  if (asked.has(key)) throw new TransportError('malformed', 'the server returns the same page again')
  asked.add(key)
}

const keyOf = ({ addedAfter, next }: Position): string => `${addedAfter} ${next}`
