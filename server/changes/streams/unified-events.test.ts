import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openEventStream } from '../../../test/event-stream.ts'
import { startWebhooks } from '../../../test/receiver.ts'
import { startUnified } from '../../../test/set-up/unified-entities.ts'
import { until } from '../../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startUnified<Awaited<ReturnType<typeof startWebhooks>>>>>
let address: string
let unified: string
let one: string
/** The entity that is created last: a reader who received its event has received all earlier ones. */
let last: string

type Reader = 'insider' | 'outsider'
const READERS: readonly Reader[] = ['insider', 'outsider']
const EVENTS = ['create', 'update', 'delete']
const streams = new Map<Reader, Awaited<ReturnType<typeof openEventStream>>>()
const seenBefore = new Map<Reader, { status: number; versions: unknown; history: string[] }>()

const kindsOf = (events: readonly { kind: string; object: string }[]) =>
  events.filter(({ object }) => object.endsWith(unified)).map(({ kind }) => kind)

const historyOf = async (reader: Reader): Promise<string[]> => {
  const { data } = await corvus.get(`history-events?filter[object]=${unified}&sort=at`, corvus.readers[reader])
  return data.map(({ kind }: { kind: string }) => kind)
}

before(async () => {
  corvus = await startUnified(startWebhooks)
  address = await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  one = await corvus.make(corvus.sources.first, 'Fancy Bear')
  const two = await corvus.make(corvus.sources.second, 'Fancy Bear')
  for (const reader of READERS) {
    const token = corvus.readers[reader]
    await corvus.webhook(reader, { collections: ['entities'] }, token)
    streams.set(
      reader,
      await openEventStream(`${address}/api/v2/events?collections=entities&include_object=true`, token),
    )
  }
  unified = await corvus.unify([one, two], 'Fancy Bear')
  await corvus.rename(unified, 'Renamed Bear')
  for (const reader of READERS) {
    const { status, body } = await corvus.call('GET', `entities/${unified}/versions`, undefined, corvus.readers[reader])
    seenBefore.set(reader, { status, versions: body.data, history: await historyOf(reader) })
  }
  // While it exists, its events are read: later ones of an object that is gone are not shown.
  await streams.get('insider')?.upTo(corvus.url('entities', unified), 'update')
  await corvus.settle()
  const process = corvus.startProcess()
  await until(() => corvus.receiver.eventsAt('/insider').length >= 2, 'The webhook is not called.')
  await corvus.takeApart(unified)
  last = corvus.url('entities', await corvus.make(corvus.sources.first, 'Last'))
  for (const reader of READERS) {
    await streams.get(reader)?.upTo(last)
    const isThere = () => corvus.receiver.eventsAt(`/${reader}`).some(({ object }) => object === last)
    await until(isThere, 'The webhook is not called.')
  }
  await process.stop()
})
after(async () => {
  for (const stream of streams.values()) await stream.close()
  await corvus.stop()
})

test('a stream has the events of a unified entity for those who see all contributors, its deletion too', () => {
  assert.deepEqual(kindsOf(streams.get('insider')?.events ?? []), EVENTS)
  assert.deepEqual(kindsOf(streams.get('outsider')?.events ?? []), [])
  assert.deepEqual(
    streams.get('outsider')?.events.map(({ object }) => object),
    [last],
  )
})

test('a webhook has them for the same owners', () => {
  assert.deepEqual(kindsOf(corvus.receiver.eventsAt('/insider')), EVENTS)
  assert.deepEqual(
    corvus.receiver.eventsAt('/outsider').map(({ object }) => object),
    [last],
  )
})

test('the history has them for the same readers', async () => {
  assert.deepEqual(seenBefore.get('insider')?.history, ['create', 'update'])
  assert.deepEqual(seenBefore.get('outsider')?.history, [])
  assert.deepEqual(await historyOf('insider'), EVENTS)
  assert.deepEqual(await historyOf('outsider'), [])
})

test('the versions of a unified entity are for those who see it', () => {
  const { status, versions } = seenBefore.get('insider') ?? {}
  assert.equal(status, 200)
  assert.deepEqual(
    (versions as { data: { title: string }; sources: string[] }[]).map(({ data, sources }) => [data.title, sources]),
    [['Fancy Bear', [corvus.sources.merge]]],
  )
  assert.equal(seenBefore.get('outsider')?.status, 404)
})
