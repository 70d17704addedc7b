import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { bareServer } from '../../../test/background.ts'
import { createDatabase } from '../../../test/database.ts'
import { untilReadable } from '../../../test/followers.ts'
import { until } from '../../../test/until.ts'
import { TaskError } from '../task.ts'
import type { Worker } from '../worker.ts'
import type { Change } from './change-log.ts'
import { startFollowing } from './claims.ts'
import { startFollowers } from './follow.ts'
import { defineFollower, type Follower, type FollowerDefinition } from './follower.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
const workers: Worker[] = []
const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })

before(async () => {
  database = await createDatabase()
  await database.pool.query('create table effects (id serial, follower text, object text)')
})
after(async () => {
  for (const worker of workers) await worker.stop()
  await database.drop()
})

async function write(
  objects: readonly string[],
  resource = 'tickets',
  client: Pick<typeof database.pool, 'query'> = database.pool,
) {
  await client.query(`insert into changes (resource, kind, ids) values ($1, 'update', $2)`, [resource, objects])
}

const objectsIn = (changes: readonly Change[]) => changes.flatMap(({ ids }) => ids)

/** A follower that records the objects of the changes it handles. */
async function following(name: string, rest: Partial<FollowerDefinition> = {}): Promise<Follower> {
  await startFollowing(database.db, name)
  return defineFollower({
    name,
    collections: ['tickets'],
    handle: (ctx, changes) => note(name, ctx, changes),
    ...rest,
  })
}

const note = async (...[name, ctx, changes]: [string, ...Parameters<FollowerDefinition['handle']>]): Promise<void> => {
  await sql`
    insert into effects (follower, object) select ${name}, unnest(${objectsIn(changes)}::text[])`.execute(ctx.db)
}

function start(...followers: Follower[]): Worker {
  const worker = startFollowers({ server: bareServer(database), log, followers })
  workers.push(worker)
  return worker
}

const effects = async (name: string): Promise<string[]> =>
  (await database.pool.query('select object from effects where follower = $1 order by id', [name])).rows.map(
    ({ object }) => object,
  )

const row = async (name: string) =>
  (await database.pool.query('select * from followers where name = $1', [name])).rows[0]

const hurry = (name: string) =>
  database.pool.query('update followers set next_attempt_at = now() where name = $1', [name])

const expireLease = (name: string) =>
  database.pool.query(`update followers set claimed_until = now() - interval '1 second' where name = $1`, [name])

/** Waits for this many effects, and returns them. */
const effectsOf = (name: string, count: number) =>
  until(async () => {
    const found = await effects(name)
    return found.length >= count ? found : undefined
  }, `${name} has not handled ${count} objects`)

test('a follower handles changes of its collections since it was set up, once each and in the order of the log', async () => {
  await write(['too early'])
  // A follower starts after all changes that can be read, and transactions of other tests delay these.
  await untilReadable(database.db)
  const follower = await following('orderly', { batchSize: 2 })
  await write(['a', 'b', 'c'])
  await write(['elsewhere'], 'entities')
  await write(['d'])
  const worker = start(follower)
  assert.deepEqual(await effectsOf('orderly', 4), ['a', 'b', 'c', 'd'])
  await write(['e'])
  assert.deepEqual(await effectsOf('orderly', 5), ['a', 'b', 'c', 'd', 'e'])
  await worker.stop()
  assert.equal((await row('orderly')).claim, null)
})

test('several processes share a follower: each change is handled once, in order, by one process at a time', async () => {
  let [under, most] = [0, 0]
  const follower = await following('shared', {
    batchSize: 3,
    handle: async (ctx, changes) => {
      most = Math.max(most, ++under)
      await note('shared', ctx, changes)
      under--
    },
  })
  const processes = [start(follower), start(follower), start(follower)]
  const objects = Array.from({ length: 30 }, (_, i) => `object ${i}`)
  for (const object of objects) await write([object])
  assert.deepEqual(await effectsOf('shared', 30), objects)
  await Promise.all(processes.map((each) => each.stop()))
  assert.equal(most, 1)
})

test('a change whose transaction commits late is handled, even if others committed before it', async () => {
  const worker = start(await following('patient'))
  const slow = await database.pool.connect()
  try {
    await slow.query('begin')
    await write(['slow'], 'tickets', slow)
    await write(['quick'])
    await slow.query('commit')
  } finally {
    slow.release()
  }
  await write(['last'])
  assert.deepEqual(await effectsOf('patient', 3), ['slow', 'quick', 'last'])
  await worker.stop()
})

test('a process that is killed between its effects and its commit leaves neither, and another handles the changes', async () => {
  const follower = await following('killed')
  await write(['once'])
  const program = new URL('../../../test/follower-worker.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, database.url, 'killed'], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.deepEqual(await effects('killed'), [])
  await expireLease('killed')
  const worker = start(follower)
  assert.deepEqual(await effectsOf('killed', 1), ['once'])
  await write(['then'])
  assert.deepEqual(await effectsOf('killed', 2), ['once', 'then'])
  await worker.stop()
})

test('a process whose lease ran out does not handle changes that another has handled meanwhile', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  let asked = 0
  const follower = await following('slow', {
    // Called after the lease was renewed and before anything is handled.
    isIdle: async () => {
      if (++asked === 1) await isReleased
      return false
    },
  })
  const first = start(follower)
  await write(['once'])
  await until(() => asked === 1, 'the first process has not begun')
  await expireLease('slow')
  const second = start(follower)
  assert.deepEqual(await effectsOf('slow', 1), ['once'])
  release()
  await first.stop()
  await write(['then'])
  assert.deepEqual(await effectsOf('slow', 2), ['once', 'then'])
  await second.stop()
})

test('a follower that fails leaves nothing behind, records its error, waits longer each time, and does not stop others', async () => {
  let isBroken = true
  const broken = await following('broken', {
    handle: async (ctx, changes) => {
      await note('broken', ctx, changes)
      if (isBroken) throw new TaskError('This cannot be handled.')
    },
  })
  const worker = start(broken, await following('sound'))
  await write(['first'])
  await until(async () => (await row('broken')).failures === 1, 'it has not failed')
  await write(['second'])
  assert.deepEqual(await effectsOf('sound', 2), ['first', 'second'])
  await hurry('broken')
  await until(async () => (await row('broken')).failures >= 2, 'it was not tried again')
  assert.deepEqual(await effects('broken'), [])
  const { next_attempt_at, failures, last_error, failed_at } = await row('broken')
  assert.equal(last_error, 'This cannot be handled.')
  assert.ok(failed_at)
  assert.ok(failures > 2 || Date.parse(next_attempt_at) > Date.now() - 1000)
  assert.ok(warnings.some((line) => line.includes('"follower":"broken"')))
  isBroken = false
  await until(async () => {
    await hurry('broken')
    return (await effects('broken')).length > 0
  }, 'it was not tried again')
  assert.deepEqual(await effectsOf('broken', 2), ['first', 'second'])
  const recovered = await row('broken')
  assert.deepEqual([recovered.failures, recovered.last_error, recovered.failed_at], [0, null, null])
  await worker.stop()
})

test('the error of a failed statement is in the log; the status only says where to look', async () => {
  const worker = start(
    await following('unsound', { handle: async ({ db }) => void (await sql`select secret from nowhere`.execute(db)) }),
  )
  await write(['any'])
  await until(async () => (await row('unsound')).failures > 0, 'it has not failed')
  await worker.stop()
  assert.equal((await row('unsound')).last_error, 'An internal error; the log of the server has more.')
  assert.ok(warnings.some((line) => line.includes('nowhere')))
})

test('an idle follower skips changes unread, and handles later ones once it is active', async () => {
  let isIdle = true
  const worker = start(await following('idle', { isIdle: async () => isIdle }))
  await write(['unwanted'])
  const { rows } = await database.pool.query('select max(id) as unwanted from changes')
  await until(async () => (await row('idle')).change >= rows[0].unwanted, 'it has not passed over anything')
  isIdle = false
  await write(['wanted'])
  assert.deepEqual(await effectsOf('idle', 1), ['wanted'])
  await worker.stop()
})
