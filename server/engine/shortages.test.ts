import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { refusal } from './errors.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

/** Makes every insert into the table fail with an error of the database itself. */
const failing = (table: string, code: string) =>
  corvus.pool.query(`
    create or replace function fail_now() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file "base/1/2"' using errcode = '${code}'; end $$;
    create or replace trigger fail_now before insert on ${table} for each row execute function fail_now()`)

test('a lack of resources of the database is reported by name, without internal details', async () => {
  for (const [code, status, detail] of [
    ['53100', 507, 'The disk of the database is full: nothing can be stored until there is room.'],
    ['53200', 503, 'The database is out of memory at the moment; try again.'],
    ['53300', 503, 'The database takes no more connections at the moment; try again.'],
  ] as const) {
    await failing('tickets', code)
    const answer = await corvus.call('POST', 'tickets', { data: { name: 'no room' } })
    assert.deepEqual([answer.status, answer.body[0].detail], [status, detail])
  }
  await corvus.pool.query('drop trigger fail_now on tickets')
  assert.equal((await corvus.call('POST', 'tickets', { data: { name: 'no room' } })).status, 201)
})

test('a full disk of the server is reported', () => {
  for (const code of ['ENOSPC', 'EDQUOT']) {
    const refused = refusal(Object.assign(new Error(`${code}: write`), { code, syscall: 'write' }))
    assert.equal(refused?.status, 507)
    assert.match(refused?.message ?? '', /nothing can be stored until there is room/)
  }
})

test('many concurrent writes of the same objects all succeed', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `contested ${n}`)
  const put = await corvus.call('PUT', 'tickets', { data: names.map((name) => ({ name })) })
  const ids: number[] = put.body.data.map(({ id }: { id: number }) => id)
  const workspaces = await corvus.call('PUT', 'workspaces', {
    data: names.map((name) => ({ name, is_public: true })),
  })
  const places: number[] = workspaces.body.data.map(({ id }: { id: number }) => id)
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const [first, second] = n % 2 ? [ids, places] : [ids.toReversed(), places.toReversed()]
      const own = n % 12
      const answer = await (n % 3 === 0
        ? corvus.call('PATCH', `workspaces/${places[own]}`, { data: { tickets: first } })
        : n % 3 === 1
          ? corvus.call('PATCH', `tickets/${ids[own]}`, { data: { workspaces: second, status: 'CLOSED' } })
          : corvus.call('PUT', 'tickets', { data: names.map((name) => ({ name, workspaces: second })) }))
      return answer.status
    }),
  )
  assert.deepEqual([...new Set(statuses)], [200])
})
