import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { createDatabase } from '../../../test/database.ts'
import { type Change, isKept, keepOrder, readChanges, readTip } from './change-log.ts'
import { type Position, positionsWith, readPositions, START } from './position.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())
beforeEach(async () => {
  await database.pool.query('delete from changes')
})

const write = async (ids: readonly string[], client: pg.Pool | pg.PoolClient = database.pool, resource = 'tickets') => {
  const { rows } = await client.query(
    `insert into changes (resource, kind, ids) values ($1, 'update', $2) returning id`,
    [resource, ids],
  )
  return Number(rows[0].id)
}

const objectsIn = (changes: readonly Change[]) => changes.flatMap(({ ids }) => ids)

/** Everything that can be read from a position on, in portions. */
async function readAll(after: Position = START, most = 1000): Promise<string[]> {
  const found: string[] = []
  for (let place = after; ; ) {
    const { changes, end, isLast } = await readChanges(database.db, place, ['tickets'], most)
    found.push(...objectsIn(changes))
    place = end
    if (isLast) return found
  }
}

/** Transactions in other databases of the same server delay all readers, for long on a busy machine. */
async function readWhenThere(count: number, after?: Position, most?: number): Promise<string[]> {
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    const found = await readAll(after, most)
    if (found.length >= count) return found
    assert.ok(Date.now() < deadline, `only ${found} came of ${count}`)
  }
}

test('a transaction that commits late is not skipped, even if others committed before it', async () => {
  await write(['before'])
  assert.deepEqual(await readWhenThere(1), ['before'])
  const slow = await database.pool.connect()
  try {
    await slow.query('begin')
    await write(['slow'], slow)
    await write(['quick'])
    await write(['quicker'])
    // The quick changes have higher numbers and are already committed. Reading them now would lose the slow one.
    const { changes, end } = await readChanges(database.db, START, ['tickets'], 100)
    assert.deepEqual(objectsIn(changes), ['before'])
    await slow.query('commit')
    assert.deepEqual(await readWhenThere(3, end), ['slow', 'quick', 'quicker'])
  } finally {
    slow.release()
  }
})

test('rows are ordered by their transactions, even if their numbers were assigned earlier', async () => {
  const [first, second] = [await database.pool.connect(), await database.pool.connect()]
  try {
    // Not in its transaction, which could begin at the moment when the sequence is logged.
    const { rows } = await first.query(`select nextval(pg_get_serial_sequence('changes', 'id')) as id`)
    await first.query('begin')
    await second.query('begin')
    await write(['other'], second)
    await second.query('commit')
    const place = (await readWhenThere(1)) && (await readTip(database.db))
    await first.query(`insert into changes (id, resource, kind, ids) values ($1, 'tickets', 'update', '{early}')`, [
      rows[0].id,
    ])
    await first.query('commit')
    assert.ok(Number(rows[0].id) < place.change, 'the number is lower than one that was read already')
    assert.deepEqual(await readWhenThere(1, place), ['early'])
  } finally {
    first.release()
    second.release()
  }
})

test('a transaction that is rolled back leaves nothing and delays no reader', async () => {
  const client = await database.pool.connect()
  await client.query('begin')
  await write(['never'], client)
  await client.query('rollback')
  client.release()
  await write(['ever'])
  assert.deepEqual(await readWhenThere(1), ['ever'])
})

test('many writers at once: every object is read once, in portions of any size', async () => {
  const names = Array.from({ length: 40 }, (_, i) => Array.from({ length: (i % 7) + 1 }, (_, j) => `${i}-${j}`))
  await Promise.all(names.map((ids) => write(ids)))
  const whole = await readWhenThere(names.flat().length)
  assert.deepEqual(whole.toSorted(), names.flat().toSorted())
  for (const most of [1, 2, 3, 7, 50]) assert.deepEqual(await readAll(START, most), whole)
})

test('a write of many objects is read in parts, and other collections are skipped', async () => {
  await write(['a', 'b', 'c', 'd', 'e'])
  await write(['x', 'y'], database.pool, 'users')
  await write(['f'])
  assert.deepEqual(await readWhenThere(6), ['a', 'b', 'c', 'd', 'e', 'f'])
  const first = await readChanges(database.db, START, ['tickets'], 2)
  assert.deepEqual([objectsIn(first.changes), first.end.item, first.isLast], [['a', 'b'], 2, false])
  const second = await readChanges(database.db, first.end, ['tickets'], 2)
  assert.deepEqual([objectsIn(second.changes), second.end.item], [['c', 'd'], 4])
  const third = await readChanges(database.db, second.end, ['tickets'], 3)
  assert.deepEqual([objectsIn(third.changes), third.isLast], [['e', 'f'], true])
  assert.deepEqual(third.end, await readTip(database.db))
  const fourth = await readChanges(database.db, third.end, ['tickets'], 2)
  assert.deepEqual([objectsIn(fourth.changes), fourth.end, fourth.isLast], [[], third.end, true])
})

test('more writes than are read at a time, all of other collections, are skipped', async () => {
  await database.pool.query(
    `insert into changes (resource, kind, ids) select 'users', 'update', '{1}' from generate_series(1, 1200)`,
  )
  await write(['last'])
  assert.deepEqual(await readWhenThere(1), ['last'])
})

test('a position whose write has been purged is reported as a gap', async () => {
  const old = await write(['old'])
  const place = (await readWhenThere(1)) && (await readTip(database.db))
  assert.deepEqual(place, { change: old, item: 1 })
  assert.equal(await isKept(database.db, place), true)
  await write(['new'])
  assert.equal((await readChanges(database.db, place, ['tickets'], 10)).hasGap, false)
  await database.pool.query('delete from changes where id = $1', [old])
  assert.equal(await isKept(database.db, place), false)
  await readWhenThere(1)
  assert.equal((await readChanges(database.db, place, ['tickets'], 10)).hasGap, true)
  assert.equal(await isKept(database.db, START), true)
  assert.equal((await readChanges(database.db, START, ['tickets'], 10)).hasGap, false)
})

test('an empty log is read from its beginning', async () => {
  assert.deepEqual(await readTip(database.db), START)
  const { changes, end, isLast } = await readChanges(database.db, START, ['tickets'], 10)
  assert.deepEqual([changes, end, isLast], [[], START, true])
})

test('data restored from a database with higher numbers keeps its order, and new writes come after it', async () => {
  const ids = [await write(['one']), await write(['two']), await write(['three'])]
  await database.pool.query(`update changes set xact = xact + 1000000000 + case when id = $1 then 5 else 0 end`, [
    ids[0],
  ])
  assert.deepEqual(await readAll(), [], 'the future is not read')
  await (database.db as Kysely<unknown>).transaction().execute(keepOrder)
  await write(['four'])
  assert.deepEqual(await readWhenThere(4), ['two', 'three', 'one', 'four'])
  await (database.db as Kysely<unknown>).transaction().execute(keepOrder)
  assert.deepEqual(await readAll(), ['two', 'three', 'one', 'four'])
})

test('an encoded position can be read back, is always the same, and does not reveal its numbers', async () => {
  const positions = await readPositions(database.db)
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.nat({ max: 2 ** 31 - 1 }), (change, item) => {
      const text = positions.write({ change, item })
      assert.deepEqual(positions.read(text), { change, item })
      assert.equal(positions.write({ change, item }), text)
      assert.match(text, /^[\w-]{22}$/)
    }),
  )
  const [one, two] = [positions.write({ change: 7, item: 1 }), positions.write({ change: 7, item: 2 })]
  assert.notEqual(one.slice(0, 8), two.slice(0, 8))
  for (const text of ['', 'x', '7', 'A'.repeat(22), `${one}A`, one.slice(1), '0'.repeat(23)])
    assert.equal(positions.read(text), undefined)
  assert.equal(positionsWith(Buffer.alloc(16, 1)).read(one), undefined, 'of another installation')
})
