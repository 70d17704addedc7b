import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { webhooks } from '../../server/changes/webhooks/delivering/deliver.ts'
import { outgoingFeed } from '../../server/feeds/publishing/outgoing-feed.ts'
import { openEventStream } from '../event-stream.ts'
import { startReceiver } from '../receiver.ts'
import { taxiiOf } from '../taxii.ts'
import type { Enrichers } from './enrichers.ts'

type Item = Record<string, unknown>

/** Receives everything that an observer gets, as a text. */
export type Note = (observer: string, text: string) => void

export const OBSERVERS = ['reader', 'stream', 'webhook', 'feed', 'TAXII client'] as const

const STIX = 'urn:oasis:stix:json:2.1'

/**
 * Starts observers that look again and again until they are stopped. All of them see intelligence up to GREEN: the feed because of its
 * filter, the others because of what the user with this token may see.
 */
export async function startObservers(corvus: Enrichers, token: string, dataset: number, note: Note) {
  const address = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  const { ask: askTaxii } = taxiiOf(corvus)
  const receiver = await startReceiver()
  receiver.answers((response, { raw }) => {
    note('webhook', raw)
    response.end()
  })
  const events = { collections: ['entities'], include_object: true }
  await corvus.ask('POST', 'webhooks', { name: 'Observer', url: `${receiver.url}/`, ...events }, token)
  const stream = await openEventStream(`${address}/api/v2/events?collections=entities&include_object=true`, token)
  const stopFollowing = corvus.startFollowing([webhooks])
  let isOver = false
  const again = async (look: () => Promise<void>) => {
    while (!isOver) {
      await look()
      await setImmediate()
    }
  }

  const read = async (path: string): Promise<void> => {
    const { status, body } = await corvus.call('GET', path, undefined, token)
    assert.equal(status, 200, JSON.stringify(body))
    note('reader', JSON.stringify(body))
  }
  const makeFeed = (transport_type: string, more: Item, owner: string) =>
    corvus.ask(
      'POST',
      'outgoing-feeds',
      {
        name: transport_type,
        transport_type,
        content_type: STIX,
        update_strategy: 'APPEND',
        datasets: [dataset],
        ...more,
      },
      owner,
    )
  const pack = (feed: number) => outgoingFeed.run(jobOf(corvus, feed))

  const feed = await makeFeed('http-download', { tlp_color_filter: 'GREEN' }, corvus.admin)
  const known = new Set<number>()
  const download = async (): Promise<void> => {
    await pack(feed.id)
    const blocks: { id: number }[] = await corvus.ask(
      'GET',
      `content-blocks?filter[outgoing_feed]=${feed.id}&limit=1000`,
    )
    for (const { id } of blocks.filter((block) => !known.has(block.id))) {
      known.add(id)
      const { status, body } = await corvus.call('GET', `content-blocks/${id}/download`)
      assert.equal(status, 200, JSON.stringify(body))
      note('feed', typeof body === 'string' ? body : JSON.stringify(body))
    }
  }

  const collection = await makeFeed('taxii2', {}, token)
  const { pathname } = new URL(collection.transport_access_details.collection_url)
  let addedAfter = '1970-01-01T00:00:00Z'
  const poll = async (): Promise<void> => {
    await pack(collection.id)
    const { status, body, headers } = await askTaxii(`${pathname}objects/?added_after=${addedAfter}`, { token })
    assert.equal(status, 200, JSON.stringify(body))
    addedAfter = String(headers['x-taxii-date-added-last'])
    note('TAXII client', JSON.stringify(body))
  }

  const looking = [
    again(() => read('entities?limit=100&sort=-created_at')),
    again(() => read('entities?query=data.title:(secret OR covert)')),
    again(async () => note('stream', JSON.stringify(stream.events.splice(0)))),
    again(download),
    again(poll),
  ]
  return {
    /** Fails if an observer failed meanwhile. */
    stop: async () => {
      isOver = true
      await Promise.all(looking)
      await stream.close()
      await stopFollowing()
      await receiver.stop()
    },
  }
}

/** A run of the task of a feed, as a worker would start it. */
const jobOf = ({ server }: Enrichers, feed: number) => ({
  ...server,
  id: uuid(),
  attempt: 1,
  parameters: { feed },
  callerId: null,
  signal: new AbortController().signal,
  progress: () => {},
  log: () => {},
})
