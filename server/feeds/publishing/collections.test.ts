import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, jobOf, make, put } from '../../../test/publishing/set-up.ts'
import { taxiiOf } from '../../../test/taxii.ts'
import { outgoingFeed } from './outgoing-feed.ts'

const { ask } = taxiiOf(corvus)

/** Runs a collection of two entities, of which one leaves the dataset and returns, and reads it after each run. */
async function historyOf(update_strategy: string) {
  const entities: { id: string; data: { id: string } }[] = await put('entities', [
    { data: { type: 'malware', title: `Stays with ${update_strategy}` } },
    { data: { type: 'malware', title: `Leaves with ${update_strategy}` } },
  ])
  const ids = entities.map(({ id }) => id)
  const dataset = await make('datasets', { name: update_strategy, workspaces: [1], entities: ids })
  const feed = await make('outgoing-feeds', {
    name: update_strategy,
    content_type: 'urn:oasis:stix:json:2.1',
    update_strategy,
    transport_type: 'taxii2',
    datasets: [dataset.id],
  })
  const url = new URL(feed.transport_access_details.collection_url)
  const read = async () => {
    await outgoingFeed.run(jobOf(feed.id))
    const { body } = await ask(`${url.pathname}objects/?match[type]=malware`)
    const states = body.objects.map(({ name, revoked = false }: { name: string; revoked?: boolean }) => [
      name.split(' ')[0],
      revoked,
    ])
    return Object.fromEntries(states)
  }
  const leaving = `entities/${ids[1]}/datasets/${dataset.id}`
  const before = await read()
  assert.equal((await corvus.call('DELETE', leaving)).status, 204)
  const left = await read()
  assert.ok((await corvus.call('PUT', leaving)).status < 300)
  return { before, left, back: await read() }
}

test('an object that leaves a collection is revoked in it, and is valid again when it returns', async () => {
  assert.deepEqual(await historyOf('APPEND'), {
    before: { Stays: false, Leaves: false },
    left: { Stays: false, Leaves: true },
    back: { Stays: false, Leaves: false },
  })
})

test('an object that leaves a collection with REPLACE is removed from it', async () => {
  assert.deepEqual(await historyOf('REPLACE'), {
    before: { Stays: false, Leaves: false },
    left: { Stays: false },
    back: { Stays: false, Leaves: false },
  })
})
