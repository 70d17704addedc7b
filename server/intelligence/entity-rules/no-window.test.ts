import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { BASE } from '../../../test/app.ts'
import { effort } from '../../../test/effort.ts'
import { openEventStream } from '../../../test/event-stream.ts'
import { corvus, makeRule, readerUpTo } from '../../../test/set-up/entity-rules.ts'
import { until } from '../../../test/until.ts'

const address = await corvus.app.listen({ port: 0, host: '127.0.0.1' })

const WRITES = effort(25, 10)
const SIZE = 20

test('nobody who reads in parallel with writers ever sees an entity below the colour that its rules give it', async (t) => {
  await makeRule({ actions: ['override_tlp'], override_tlp: 'AMBER', content_criteria: 'data.title:secret' })
  await makeRule({
    actions: ['override_tlp'],
    override_tlp: 'RED',
    entity_types: ['tool'],
    content_criteria: 'tags:hidden',
  })
  await makeRule({ actions: ['add_tags'], add_tags: ['hidden'], content_criteria: 'data.title:covert' })
  const { token } = await readerUpTo('GREEN', ['read entities', 'read rules', 'read history-events'])
  let isOver = false
  const stream = await openEventStream(`${address}/api/v2/events`, token)
  t.after(() => {
    isOver = true
    return stream.close()
  })
  const seen = new Set<string>()
  const readers = [
    'entities?limit=100&sort=-created_at',
    'entities?query=data.title:(secret OR covert)',
    'entity-rule-effects',
    'aggregations/entities/counts?fields=data.type&query=data.title:(secret OR covert)',
  ].map(async (path) => {
    while (!isOver) {
      const { status, body } = await corvus.call('GET', path, undefined, token)
      await setImmediate()
      assert.equal(status, 200, JSON.stringify(body))
      for (const each of body.data) if (each.count !== 0) seen.add(each.data?.title ?? JSON.stringify(each))
    }
  })
  const ids: string[] = []
  const write = async (round: number) => {
    const items = Array.from({ length: SIZE }, (_, i) => ({
      data: { type: i % 2 ? 'tool' : 'report', title: i % 2 ? `covert ${round}` : `secret ${round}` },
      meta: { tlp_color: 'WHITE' },
    }))
    const { status, body } = await corvus.call('PUT', 'entities', items)
    assert.equal(status, 201, JSON.stringify(body))
    for (const { id, data } of body.data) {
      ids.push(id)
      // A change that a rule reads acts in the same moment, also where the colour is set again.
      if (data.type === 'report' && ids.length % 5 === 0)
        await corvus.call('PATCH', `entities/${id}`, {
          data: { data: { title: `${data.title} again` }, meta: { tlp_color: 'WHITE' } },
        })
    }
  }
  for (let round = 0; round < WRITES; round += 2) await Promise.all([write(round), write(round + 1)])
  const last = await corvus.call('PUT', 'entities', [
    { data: { type: 'report', title: 'open' }, meta: { tlp_color: 'WHITE' } },
  ])
  const { id } = last.body.data[0]
  await until(() => seen.has('open'), 'the reader sees nothing')
  await stream.upTo(`${BASE}/api/v2/entities/${id}`).catch(() => assert.fail('the stream shows nothing'))
  isOver = true
  await Promise.all(readers)
  assert.deepEqual([...seen], ['open'])
  assert.deepEqual(
    stream.events.filter(({ object }) => ids.some((hidden) => object.endsWith(hidden))),
    [],
  )
})
