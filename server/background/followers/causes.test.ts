import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import { startApp } from '../../../test/app.ts'
import { serverOf } from '../../../test/followers.ts'
import { until } from '../../../test/until.ts'
import { startBackground } from '../../background.ts'
import { type Cause, causedBy } from '../../engine/cause.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf } from '../../engine/select.ts'
import { asCaller } from '../../identity/access/as-caller.ts'
import { asUser } from '../../identity/access/as-user.ts'
import type { Server } from '../../server.ts'
import { startRuns } from '../runs.ts'
import { defineTask } from '../task.ts'
import { startFollowing } from './claims.ts'
import { startFollowers } from './follow.ts'
import { defineFollower } from './follower.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let server: Server
before(async () => {
  corvus = await startApp()
  server = await serverOf(corvus)
})
after(() => corvus.stop())

const ADMINISTRATOR = 1
const RULE: Cause = { kind: 'rule', id: '7', depth: 1 }

async function causesSince(change: number) {
  const { rows } = await corvus.pool.query(
    `select resource, kind, cause_kind, cause_id, cause_depth from changes where id > $1 order by id`,
    [change],
  )
  return rows
}

const lastChange = async (): Promise<number> =>
  (await corvus.pool.query('select max(id) as id from changes')).rows[0].id ?? 0

/** Writes with the rights of the administrator, for a cause. */
const write = <T>(cause: Cause, work: (ctx: Context) => Promise<T>): Promise<T> =>
  corvus.db.transaction().execute(async (db) => {
    const caller = await asUser({ db }, ADMINISTRATOR)
    assert.ok(caller)
    return work({ ...server, db, caller, cause, baseUrl: '' })
  })

const makeTicket = async (ctx: Context, name: string): Promise<void> => {
  const tickets = resourceOf(ctx, 'tickets')
  await tickets.operations.create?.(ctx, tickets, { name })
}

test('what users write has no cause', async () => {
  const before = await lastChange()
  assert.equal((await corvus.call('POST', 'tickets', { data: { name: 'By hand' } })).status, 201)
  assert.deepEqual(await causesSince(before), [
    { resource: 'tickets', kind: 'create', cause_kind: null, cause_id: null, cause_depth: null },
  ])
})

test('every change written for a cause has that cause', async () => {
  const before = await lastChange()
  const entity = (title: string) => ({
    data: { type: 'report', title, id: `{https://x.test/}report-${crypto.randomUUID()}` },
    observables: [{ type: 'domain', value: `${title}.example` }],
  })
  await write(RULE, async (ctx) => {
    const [entities, tickets] = [resourceOf(ctx, 'entities'), resourceOf(ctx, 'tickets')]
    const { rows = [] } = (await entities.operations.upsert?.(ctx, entities, [entity('one'), entity('two')])) ?? {}
    const [one, two] = rows.map(({ id }) => id)
    assert.ok(one && two)
    const ticket = await tickets.operations.create?.(ctx, tickets, { name: 'By a rule' })
    assert.ok(ticket && !Array.isArray(ticket))
    await tickets.operations.update?.(ctx, tickets, ticket.id, { status: 'CLOSED' })
    await tickets.operations.link?.(ctx, tickets, ticket.id, 'entities', [{ id: one }])
    await tickets.operations.unlink?.(ctx, tickets, ticket.id, 'entities', one)
    await tickets.operations.remove?.(ctx, tickets, [ticket.id])
    await entities.operations.remove?.(ctx, entities, [two])
  })
  const changes = await causesSince(before)
  const written = new Set(changes.map(({ resource, kind }) => `${kind} ${resource}`))
  for (const each of ['create entities', 'create observables', 'update tickets', 'link tickets', 'delete entities'])
    assert.ok(written.has(each), `${each} in ${[...written]}`)
  for (const { cause_kind, cause_id, cause_depth, ...change } of changes)
    assert.deepEqual([cause_kind, cause_id, cause_depth], ['rule', '7', 1], JSON.stringify(change))
})

test('a reaction is one level deeper than its cause, so that loops end at a limit', async () => {
  await startFollowing(corvus.db, 'loop')
  const loop = defineFollower({
    name: 'loop',
    collections: ['tickets'],
    handle: async (ctx, changes) => {
      for (const { cause: by, ids } of changes) {
        const cause = causedBy('rule', 7, [by])
        if (cause.depth <= 3) await makeTicket({ ...ctx, cause }, `Reaction to ${ids.join()}`)
      }
    },
  })
  const before = await lastChange()
  const worker = startFollowers({ server, log: pino({ level: 'silent' }), followers: [loop] })
  await corvus.call('POST', 'tickets', { data: { name: 'Looped' } })
  await until(async () => (await causesSince(before)).some(({ cause_depth }) => cause_depth === 3), 'no third reaction')
  const last = await lastChange()
  await until(async () => {
    const { rows } = await sql<{ change: number }>`select change from followers where name = 'loop'`.execute(corvus.db)
    return (rows[0]?.change ?? 0) >= last
  }, 'the last reaction was not followed')
  await worker.stop()
  assert.deepEqual(
    (await causesSince(before)).map(({ cause_depth }) => cause_depth),
    [null, 1, 2, 3],
  )
})

test('a run passes the cause of its start on to its writes', async () => {
  const type = defineTask({
    type: 'make-ticket',
    doc: 'Makes a ticket.',
    parameters: z.object({}),
    run: async (job) => {
      await asCaller(job, ['modify tickets'], 'read committed', (ctx) => makeTicket(ctx, 'By a run'))
      return { result: null }
    },
  })
  const { rows } = await corvus.pool.query(
    `insert into tasks (name, type) values ('make-ticket', 'make-ticket') returning id`,
  )
  const before = await lastChange()
  const background = await startBackground({
    server,
    connection: { connectionString: corvus.url },
    log: pino({ level: 'silent' }),
    types: new Map([[type.type, type]]),
    followers: [],
  })
  const run = { id: uuid(), task: rows[0].id, type, parameters: {} }
  await write(RULE, (ctx) => startRuns(ctx.db, ctx.caller.id, [run], ctx.cause))
  const isDone = async () => (await causesSince(before)).some(({ resource }) => resource === 'tickets')
  await until(isDone, 'no ticket was made')
  await background.stop()
  const cause = { cause_kind: 'rule', cause_id: '7', cause_depth: 1 }
  assert.deepEqual(await causesSince(before), [
    { resource: 'task_runs', kind: 'create', ...cause },
    { resource: 'tickets', kind: 'create', ...cause },
  ])
})
