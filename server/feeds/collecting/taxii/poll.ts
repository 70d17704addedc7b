import type { Taxii2Configuration as Configuration } from '../../transports/incoming/taxii2.ts'
import { type Collecting, type Collector, TransportError } from '../collector.ts'
import { type Fetcher, fetcherOf, once } from '../fetcher.ts'
import { addressHash } from '../validators.ts'
import { below, findCollection, TAXII } from './find-collection.ts'
import { advance, cursorOf, type Position, pageOf, positionIn } from './position.ts'

const PAGE_BYTES = 64 * 1024 * 1024
/** What one run takes; the next one goes on from there. */
const MOST_PAGES = 10_000
const MOST_EMPTY_PAGES = 20

/** Polls a collection page by page; each page is a piece as it came. */
export const pollCollection: Collector<Configuration> = async function* (collecting) {
  const { configuration, log } = collecting
  const { url, collection_id, added_after } = configuration
  const key = addressHash(`${url} ${collection_id}`)
  const fetcher = fetcherOf(collecting)
  const collection = await findCollection(fetcher, collecting)
  const start: Position = { addedAfter: added_after, next: null, newest: null, began: null }
  let position = (collecting.isWhole ? undefined : positionIn(collecting.cursor, key)) ?? start
  const asked = new Set([placeOf(position)])
  let empty = 0
  for (let number = 1; number <= MOST_PAGES; number++) {
    const page = await readPage(fetcher, collecting, collection, position, number === 1)
    if (page === undefined) {
      log('The server no longer knows where the last poll broke off: this one begins anew.')
      position = { ...position, next: null, newest: null }
      continue
    }
    empty = page.count === 0 ? empty + 1 : 0
    if (empty > MOST_EMPTY_PAGES)
      throw new TransportError('malformed', 'the server leads from empty page to empty page')
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
      `the collection has more than ${MOST_PAGES} pages, too many to fetch all each time`,
    )
  }
  log(`There is more than ${MOST_PAGES} pages: the next run goes on from here.`)
}

/** Undefined where the server does not take the place that an earlier run was told. */
async function readPage(
  fetcher: Fetcher,
  { configuration, largest }: Collecting<Configuration>,
  collection: string,
  { addedAfter, next }: Position,
  isFirst: boolean,
) {
  const address = new URL(below(collection, 'objects/'))
  if (addedAfter !== null) address.searchParams.set('added_after', addedAfter)
  address.searchParams.set('limit', String(configuration.page_size))
  if (next !== null) address.searchParams.set('next', next)
  const statuses = isFirst && next !== null ? [400, 404, 410, 422] : []
  const mostBytes = Math.min(largest, PAGE_BYTES)
  const asked = { url: address.href, what: 'a page of objects', headers: TAXII, mostBytes, statuses }
  const { opened, bytes, value } = await fetcher.readJson(asked)
  if (opened.status !== 200) return undefined
  return { ...pageOf(value, opened.headers), bytes, contentType: opened.headers['content-type'] ?? null }
}

/** A server that sends us in a circle would be polled for ever. */
function refuseRepetition(asked: Set<string>, position: Position): void {
  const place = placeOf(position)
  if (asked.has(place)) throw new TransportError('malformed', 'the server leads to the same page again')
  asked.add(place)
}

const placeOf = ({ addedAfter, next }: Position): string => `${addedAfter} ${next}`
