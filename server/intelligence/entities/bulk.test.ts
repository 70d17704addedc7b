import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, indicator } from '../../../test/set-up/entities.ts'

const NESTED = { description: 'Zoë 🦉 "quoted"\n', x_list: [1, 1e300, { a: null, b: [] }, ''], x_empty: {} }

const named = (title: string, more: object = {}) => ({
  ...indicator(title, { id: `{http://bulk.example/}indicator-${title}`, ...NESTED, ...more }),
  observables: [{ type: 'domain', value: `${title.toLowerCase()}.example` }],
})

const put = async (items: readonly object[]) => {
  const { status, body } = await corvus.call('PUT', 'entities', { data: items })
  assert.ok(status < 300, JSON.stringify(body))
  return body.data as { id: string; data: object; observables: string[] }[]
}

const read = async (id: string) => (await corvus.call('GET', `entities/${id}`)).body.data

test('a bulk write that is retried is stored as it was sent', async () => {
  await corvus.pool.query(`
    create sequence tries;
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('tries') = 1 then raise exception 'once' using errcode = '40001'; end if;
      return null;
    end $$;
    create trigger fail_once after insert on entities execute function fail_once()`)
  const items = [named('First'), named('Second'), { ...indicator('Nameless', NESTED) }]
  const made = await put(items)
  await corvus.pool.query('drop trigger fail_once on entities')
  const { rows } = await corvus.pool.query('select last_value::integer as tries from tries')
  assert.deepEqual(rows, [{ tries: 2 }])
  for (const [i, entity] of made.entries()) {
    const stored = await read(entity.id)
    assert.deepEqual(stored.data, { ...items[i]?.data, id: stored.data.id })
    assert.deepEqual(entity.data, stored.data)
    assert.deepEqual(entity.observables, stored.observables)
  }
})

test('one PUT creates new entities and updates known ones', async () => {
  const [before] = await put([named('Known')])
  const made = await put([
    named('New'),
    named('Known', { description: 'Another.' }),
    { ...named('Bare'), observables: [] },
  ])
  assert.equal(made[1]?.id, before?.id)
  assert.deepEqual(
    made.map(({ observables }) => observables.length),
    [1, 1, 0],
  )
  for (const entity of made) assert.deepEqual(entity.data, (await read(entity.id)).data)
  assert.deepEqual((await read(String(before?.id))).data, named('Known', { description: 'Another.' }).data)
  const again = await put([named('New'), named('Known', { description: 'Another.' })])
  const versions = await corvus.call('GET', `entities/${before?.id}/versions`)
  assert.equal(versions.body.total_count, 1, 'an unchanged entity gets no version')
  assert.deepEqual(again[0]?.data, made[0]?.data)
})
