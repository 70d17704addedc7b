import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

/** Waits until a statement with this table waits for a lock. */
async function untilWaiting(table: string): Promise<void> {
  for (;;) {
    const { rows } = await corvus.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ $1`,
      [table],
    )
    if (rows.length > 0) return
    await sleep(20)
  }
}

/** Deletes rows while the row that writers lock first is locked, and returns whether the other row stays free meanwhile. */
async function isSecondFree(
  table: string,
  ids: { first: unknown; second: unknown },
  deleted = [ids.second, ids.first],
) {
  const holder = await corvus.pool.connect()
  try {
    await holder.query('begin')
    await holder.query(`select from ${table} where id = $1 for update`, [ids.first])
    const deletion = corvus.call('DELETE', table, { data: deleted })
    await untilWaiting(table)
    const { rows } = await holder.query(`select from ${table} where id = $1 for update skip locked`, [ids.second])
    await holder.query('commit')
    assert.equal((await deletion).status, 204)
    return rows.length === 1
  } finally {
    holder.release()
  }
}

test('entities are deleted in the order in which writes lock them, whatever their ids', async () => {
  const make = async (name: string): Promise<string> => {
    const data = { id: `{https://corvus.example/}report-${name}`, type: 'report', title: name }
    return (await corvus.call('POST', 'entities', { data: { data } })).body.data.id
  }
  // Objects created later have higher ids, and this one comes first here.
  const second = await make('b')
  const first = await make('a')
  assert.equal(await isSecondFree('entities', { first, second }), true)
})

test('placeholders that are deleted with an entity are locked in the same order', async () => {
  const author = 'identity--00000000-0000-4000-8000-000000000001'
  const data = {
    id: 'report--00000000-0000-4000-8000-000000000002',
    type: 'report',
    title: 'c',
    created_by_ref: author,
  }
  const second = (await corvus.call('POST', 'entities', { data: { data } })).body.data.id
  const { rows } = await corvus.pool.query('select id from entities where stix_id = $1 and is_unresolved', [author])
  assert.equal(rows.length, 1)
  assert.equal(await isSecondFree('entities', { first: rows[0].id, second }, [second]), true)
})

test('the ends of relationships are locked in the order in which writes lock entities', async () => {
  const make = async (name: string) => {
    const data = { id: `{https://corvus.example/}report-${name}`, type: 'report', title: name }
    return (await corvus.call('POST', 'entities', { data: { data } })).body.data
  }
  const second = await make('z')
  const first = await make('y')
  const holder = await corvus.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from entities where id = $1 for update', [first.id])
    const relationship = { data: { source: second.id, target: first.id, key: 'related-to' }, sources: first.sources }
    const write = corvus.call('PUT', 'relationships', [relationship])
    await untilWaiting('entities')
    const { rows } = await holder.query('select from entities where id = $1 for update skip locked', [second.id])
    await holder.query('commit')
    assert.equal((await write).status, 201)
    assert.equal(rows.length, 1)
  } finally {
    holder.release()
  }
})

test('other objects are deleted in the order of their keys, in which writes lock them', async () => {
  const make = async (name: string): Promise<number> =>
    (await corvus.call('POST', 'tickets', { data: { name } })).body.data.id
  const second = await make('b')
  const first = await make('a')
  assert.equal(await isSecondFree('tickets', { first, second }), true)
})
