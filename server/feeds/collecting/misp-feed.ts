import type { Item } from '../../engine/resource.ts'
import type { MispFeedConfiguration as Configuration } from '../transports/incoming/misp-feed.ts'
import { type Collecting, type Collector, type Piece, TransportError } from './collector.ts'
import { type Fetcher, fetcherOf, once } from './fetcher.ts'
import { type Listed, progressOf } from './progress.ts'
import { hostOf } from './transport-faults.ts'
import { addressHash } from './validators.ts'

const MANIFEST_BYTES = 100 * 1024 * 1024
const EVENT_BYTES = 64 * 1024 * 1024
const MOST_EVENTS = 500_000
/** So many faults one after another are a fault of the server. */
const MOST_FAULTS = 10
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
  const place = (at: Item) => ({ address, ...at })
  let faults = 0
  for (const event of progress.left) {
    try {
      const piece = await fetchEvent(fetcher, collecting, event)
      faults = 0
      yield { piece, cursor: place(progress.note(true)) }
    } catch (error) {
      if (!isPassing(error) || ++faults >= MOST_FAULTS) throw error
      log(`Event ${event.uuid} was left out: ${error.message}.`)
      yield { cursor: place(progress.note(false)) }
    }
  }
  yield { cursor: place(progress.end()) }
}

/** The events that are wanted, in an order that stays: whatever is new comes last. */
async function readManifest(fetcher: Fetcher, { configuration, largest, log }: Collecting<Configuration>) {
  const { url, tags, published_only } = configuration
  const mostBytes = Math.min(largest, MANIFEST_BYTES)
  const { value } = await fetcher.readJson({ url: fileIn(url, 'manifest.json'), what: 'the manifest', mostBytes })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TransportError('malformed', `the manifest of ${hostOf(url)} is no list of events`)
  }
  const entries = Object.entries(value)
  if (entries.length > MOST_EVENTS) {
    throw new TransportError('too-large', `the manifest of ${hostOf(url)} has more than ${MOST_EVENTS} events`)
  }
  const wanted = new Set(tags.map((tag) => tag.toLowerCase()))
  const events = entries.map(([uuid, about]) => eventOf(uuid, about))
  const odd = events.filter((event) => event === undefined).length
  if (odd > 0) log(`${odd} entries of the manifest have no UUID or no timestamp, and were left out.`)
  return events
    .filter((event) => event !== undefined)
    .filter(({ about }) => !published_only || about.published !== false)
    .filter(({ about }) => wanted.size === 0 || tagsOf(about).some((tag) => wanted.has(tag)))
    .sort((a, b) => a.timestamp - b.timestamp || (a.uuid < b.uuid ? -1 : 1))
}

/** Undefined for what has no place in a manifest: its name becomes a part of an address. */
function eventOf(given: string, about: unknown): (Event & { readonly about: Item }) | undefined {
  const uuid = given.toLowerCase()
  if (!UUID.test(uuid) || typeof about !== 'object' || about === null) return undefined
  const timestamp = Number((about as Item).timestamp)
  if (!Number.isSafeInteger(timestamp)) return undefined
  return { uuid, timestamp, key: `${uuid} ${timestamp}`, about: about as Item }
}

const tagsOf = ({ Tag }: Item): string[] =>
  Array.isArray(Tag) ? Tag.map((tag) => String((tag as Item | null)?.name ?? '').toLowerCase()) : []

/** Read whole before it is told of: one event that breaks off does not stop the others. */
async function fetchEvent(
  fetcher: Fetcher,
  { configuration, largest }: Collecting<Configuration>,
  { uuid }: Event,
): Promise<Piece> {
  const url = fileIn(configuration.url, `${uuid}.json`)
  const { opened, bytes } = await fetcher.read({ url, what: 'it', mostBytes: Math.min(largest, EVENT_BYTES) })
  return { name: `${uuid}.json`, content: once(bytes), contentType: opened.headers['content-type'] ?? null }
}

/** A fault that says nothing about other events. */
const isPassing = (error: unknown): error is TransportError =>
  error instanceof TransportError && !['authentication', 'refused-address', 'rate-limited'].includes(error.kind)

/** A file of the folder of the feed; the query of its address stays. */
function fileIn(url: string, name: string): string {
  const address = new URL(url)
  const folder = address.pathname.replace(/\/manifest\.json$/, '').replace(/\/$/, '')
  address.pathname = `${folder}/${name}`
  return address.href
}
