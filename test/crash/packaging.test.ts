import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { effort } from '../effort.ts'
import { diffConsumer } from '../publishing/consumers.ts'
import { crashing } from '../set-up/crashing.ts'

const KILLS = effort(20, 3)
const ENTITIES = 1500
const KEPT_MS = 400

const { call, count, ...server } = crashing()

let made = 0
const entities = (dataset: number) =>
  Array.from({ length: ENTITIES }, () => {
    const n = made++
    const data = { type: 'indicator', title: `Indicator ${n}`, description: 'Seen again. '.repeat(20) }
    return { data, datasets: [dataset], observables: [{ type: 'domain', value: `host-${n}.crash.example` }] }
  })

test(`a feed whose run is killed ${KILLS} times sends each difference once`, async () => {
  const { data: dataset } = await call('POST', 'datasets', { data: { name: 'Crashing', workspaces: [1] } })
  const transport = { transport_type: 'eiq.outgoing-transports.http-download', transport_configuration: {} }
  const make = async (update_strategy: string) => {
    const content_type = 'urn:eclecticiq.com:csv-extracts:1.0'
    const feed = { name: update_strategy, content_type, update_strategy, ...transport, datasets: [dataset.id] }
    return (await call('POST', 'outgoing-feeds', { data: feed })).data.id as number
  }
  const start = async (feed: number): Promise<string> =>
    (await call('POST', `outgoing-feeds/${feed}/run`)).data.task_run.split('/').at(-1)
  const [changes, whole] = [await make('DIFF'), await make('REPLACE')]
  let ended = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const { data: added } = await call('PUT', 'entities', { data: entities(dataset.id) })
    if (kill > 0) await call('DELETE', `entities/${added[0].id}`)
    const run = await start(changes)
    // Killed at a different moment each time: while it reads, while it writes, or when it is done.
    await sleep(((kill + Math.random()) / KILLS) * KEPT_MS)
    await server.kill()
    await server.start()
    const { data } = await call('GET', `tasks/runs/${run}`)
    if (data.ended_at === null) await call('DELETE', `tasks/runs/${run}`)
    else ended++
    if (kill % 2 === 1) assert.equal((await server.run(await start(changes))).state, 'SUCCESS')
  }
  assert.ok(ended < KILLS, 'none of them was in the middle')
  for (const feed of [changes, whole]) assert.equal((await server.run(await start(feed))).state, 'SUCCESS')

  const textsOf = async (feed: number): Promise<string[]> => {
    const { data } = await call('GET', `content-blocks?filter[outgoing_feed]=${feed}&sort=id`)
    return Promise.all(
      data.map(async ({ download_url }: { download_url: string }) => {
        const { pathname } = new URL(download_url, server.url('/'))
        return (await fetch(server.url(pathname), { headers: server.headers() })).text()
      }),
    )
  }
  const consumer = diffConsumer()
  for (const text of await textsOf(changes)) await consumer.apply(text)
  const [everything = ''] = await textsOf(whole)
  assert.equal(everything.trimEnd().split('\r\n').length - 1, await count('entities'))
  await consumer.check(everything)
})
