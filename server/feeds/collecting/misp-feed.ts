import { textFrom } from '../../domain/text-from.ts'
import type { Item } from '../../engine/context.ts'
import type { MispFeedConfiguration as Configuration } from '../transports/incoming/misp-feed.ts'
import { type Collecting, type Collector, type Piece, TransportError } from './collector.ts'
import { type Fetcher, fetcherOf, once } from './fetcher.ts'
import { type Listed, progressOf } from './progress.ts'
import { hostOf } from './transport-errors.ts'
import { addressHash } from './validators.ts'

const MAX_MANIFEST_BYTES = 100 * 1024 * 1024
const MAX_EVENT_BYTES = 64 * 1024 * 1024
const MAX_EVENTS = 500_000
/** After this many consecutive failures the run gives up, because the server is at fault. */
const MAX_CONSECUTIVE_FAILURES = 10
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

interface Event extends Listed {
  readonly uuid: string
  readonly timestamp: number
}

/** Reads the manifest of a feed, and each event in it that is new or has changed. */
export const readMispFeed: Collector<Configuration> = async function* (collecting) {
  const { configuration, cursor, log } = collecting
  const fetcher = fetcherOf(collecting)
  const address = addressHash(configuration.url)
  const events = await readManifest(fetcher, collecting)
  const progress = progressOf(cursor?.address === address ? cursor : null, events)
  const cursorAt = (at: Item) => ({ address, ...at })
  let failures = 0
  for (const event of progress.left) {
    try {
      const piece = await fetchEvent(fetcher, collecting, event)
      failures = 0
      yield { piece, cursor: cursorAt(progress.note(true)) }
    } catch (error) {
      if (!isOfOneEvent(error) || ++failures >= MAX_CONSECUTIVE_FAILURES) throw error
      log(`Event ${event.uuid} was skipped: ${error.message}.`)
      yield { cursor: cursorAt(progress.note(false)) }
    }
  }
  yield { cursor: cursorAt(progress.end()) }
}

/** The wanted events in a stable order, new ones last. */
async function readManifest(fetcher: Fetcher, { configuration, maxPieceBytes, log }: Collecting<Configuration>) {
  const { url, tags, published_only } = configuration
  const mostBytes = Math.min(maxPieceBytes, MAX_MANIFEST_BYTES)
  const { value } = await fetcher.readJson({ url: fileIn(url, 'manifest.json'), what: 'the manifest', mostBytes })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TransportError('malformed', `the manifest of ${hostOf(url)} is not a list of events`)
  }
  const entries = Object.entries(value)
  if (entries.length > MAX_EVENTS) {
    throw new TransportError('too-large', `the manifest of ${hostOf(url)} has more than ${MAX_EVENTS} events`)
  }
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()))
  const events = entries.map(([uuid, about]) => eventOf(uuid, about))
  const invalid = events.filter((event) => event === undefined).length
  if (invalid > 0) log(`${invalid} entries of the manifest without a UUID or timestamp were skipped.`)
  return events
    .filter((event) => event !== undefined)
    .filter(({ about }) => !published_only || about.published !== false)
    .filter(({ about }) => wanted.size === 0 || tagsOf(about).some((tag) => wanted.has(tag)))
    .sort((a, b) => a.timestamp - b.timestamp || (a.uuid < b.uuid ? -1 : 1))
}

/** Undefined for an invalid entry: its UUID becomes part of an address. */
function eventOf(given: string, about: unknown): (Event & { readonly about: Item }) | undefined {
  const uuid = given.toLowerCase()
  if (!UUID.test(uuid) || typeof about !== 'object' || about === null) return undefined
  const timestamp = Number((about as Item).timestamp)
  if (!Number.isSafeInteger(timestamp)) return undefined
  return { uuid, timestamp, key: `${uuid} ${timestamp}`, about: about as Item }
}

const tagsOf = ({ Tag }: Item): string[] =>
  Array.isArray(Tag) ? Tag.map((tag) => textFrom((tag as Item | null)?.name ?? '').toLowerCase()) : []

/** Reads a whole event before it is yielded, so that one that is cut off does not stop the others. */
async function fetchEvent(
  fetcher: Fetcher,
  { configuration, maxPieceBytes }: Collecting<Configuration>,
  { uuid }: Event,
): Promise<Piece> {
  const url = fileIn(configuration.url, `${uuid}.json`)
  const { opened, bytes } = await fetcher.read({
    url,
    what: 'the event',
    mostBytes: Math.min(maxPieceBytes, MAX_EVENT_BYTES),
  })
  return { name: `${uuid}.json`, content: once(bytes), contentType: opened.headers['content-type'] ?? null }
}

/** An error that says nothing about other events. */
const isOfOneEvent = (error: unknown): error is TransportError =>
  error instanceof TransportError && !['authentication', 'refused-address', 'rate-limited'].includes(error.kind)

/** The address of a file in the folder of the feed, with the query of the feed's address. */
function fileIn(url: string, name: string): string {
  const address = new URL(url)
  const folder = address.pathname.replace(/\/manifest\.json$/, '').replace(/\/$/, '')
  address.pathname = `${folder}/${name}`
  return address.href
}
