import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

async function totalOf(query: string): Promise<number> {
  const { status, body } = await corvus.call('GET', `entities?query=${encodeURIComponent(query)}&data=false`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.total_count
}

test('a range of whole numbers includes or excludes its ends as its brackets say', async () => {
  const lives = [6, 7, 8, 9]
  const items = lives.map((half_life) => ({
    data: { type: 'report', title: `lives ${half_life}` },
    meta: { half_life },
  }))
  assert.equal((await corvus.call('PUT', 'entities', items)).status, 201)
  for (const [range, expected] of [
    ['[7 TO 8]', 2],
    ['{7 TO 9]', 2],
    ['[7 TO 9}', 2],
    ['{6 TO 9}', 2],
    ['{7 TO 8}', 0],
    ['[6.5 TO 8.5]', 2],
    ['{6.5 TO 8.5}', 2],
    ['>7', 2],
    ['>=7', 3],
    ['<9', 3],
  ] as const) {
    assert.equal(await totalOf(`data.title:lives AND meta.half_life:${range}`), expected, range)
  }
})

test('an observable finds all of its entities, even thousands', async () => {
  const observables = [{ type: 'domain', value: 'everywhere.example' }]
  const { body } = await corvus.call('POST', 'entities', {
    data: { type: 'report', title: 'One of many' },
    observables,
  })
  const copies = 5000
  await corvus.pool.query(
    `with made as (
       insert into entities
       select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'stix_id', 'copy-' || n))).*
       from entities as e, generate_series(1, $2::integer) as n
       where e.id = $1
       returning id
     )
     insert into entity_observables (source, target)
     select made.id, l.target from made, entity_observables as l where l.source = $1`,
    [body.data.id, copies],
  )
  assert.equal(await totalOf('everywhere.example'), copies + 1)
})
