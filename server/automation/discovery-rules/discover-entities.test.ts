import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { startApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { startFollowers } from '../../background/followers/follow.ts'
import type { Worker } from '../../background/worker.ts'
import { openVault } from '../../identity/access/vault.ts'
import { resourceMap } from '../../registry.ts'
import { taskTypes } from '../../tasks.ts'
import { discoverEntities } from './discover-entities.ts'

type Item = Record<string, unknown>

let corvus: Awaited<ReturnType<typeof startApp>>
let worker: Worker
before(async () => {
  corvus = await startApp()
  const server = { db: corvus.db, resources: resourceMap, taskTypes, vault: await openVault(corvus.config) }
  worker = startFollowers({ server, log: pino({ level: 'silent' }), followers: [discoverEntities] })
})
after(async () => {
  await worker.stop()
  await corvus.stop()
})

async function make(path: string, data: Item, token = corvus.admin) {
  const { status, body } = await corvus.call('POST', path, { data }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const rule = (name: string, rest: Item, token?: string) =>
  make('discovery-rules', { name, is_active: true, ...rest }, token)

const entity = (title: string, rest: Item = {}) => make('entities', { data: { type: 'report', title }, ...rest })

const read = async ({ id }: Item) => (await corvus.call('GET', `discovery-rules/${id}`)).body.data

const untilCount = (of: Item, count: number) =>
  until(async () => (await read(of)).discovered_count === count, `${of.name} has not found ${count} entities`)

/** Resolves once everything written so far has been compared with the rules. */
async function untilFollowed(): Promise<void> {
  const marker = await rule(`marker ${crypto.randomUUID()}`, { keywords: ['marker'] })
  await entity('A marker')
  await untilCount(marker, 1)
  await corvus.call('DELETE', `discovery-rules/${marker.id}`)
}

test('a rule finds entities soon after they are written and drops those that no longer match, without a run', async () => {
  const made = await rule('Herons', { keywords: ['heron'] })
  const [first] = [await entity('A heron'), await entity('A stork')]
  await untilCount(made, 1)
  const { entities } = await read(made)
  assert.equal(entities[0].split('/').at(-1), first.id)
  await corvus.call('PUT', 'entities', {
    data: ['one', 'two', 'three'].map((n) => ({ data: { type: 'report', title: `Heron ${n}` } })),
  })
  await untilCount(made, 4)
  const { data } = (await corvus.call('GET', `entities/${first.id}`)).body
  const patched = await corvus.call('PATCH', `entities/${first.id}`, {
    data: { data: { ...data.data, title: 'A crane' } },
  })
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  await untilCount(made, 3)
})

test('a rule finds what its owner sees', async () => {
  const hidden = await corvus.blindGroup('Hidden')
  const token = await corvus.tokenFor(['read discovery-rules', 'modify discovery-rules', 'read entities'])
  const [seen, unable] = [
    await rule('Stilts', { keywords: ['stilt'] }, token),
    await rule('Unread', { keywords: ['stilt'] }, await corvus.tokenFor(['modify discovery-rules'])),
  ]
  await entity('Stilt shut', { sources: [hidden.source] })
  await entity('Stilt open')
  await untilFollowed()
  const { rows } = await corvus.pool.query(
    'select source, count(*) from discovered_entities where source = any($1) group by source',
    [[seen.id, unable.id]],
  )
  assert.deepEqual(rows, [{ source: seen.id, count: 1 }])
})

test('a rule needs no schedule to find entities as they are written, but has to be active', async () => {
  const inactive = await rule('Inactive', { keywords: ['plover'], is_active: false })
  const scheduled = await rule('Scheduled', { keywords: ['plover'], execution_schedule: { interval: 3600 } })
  const plain = await rule('Plain', { keywords: ['plover'] })
  assert.equal(plain.execution_schedule, null)
  await entity('A plover')
  await untilCount(plain, 1)
  await untilCount(scheduled, 1)
  assert.equal((await read(inactive)).discovered_count, 0)
})

test('a rule that cannot be evaluated shows why and does not prevent others from finding entities', async () => {
  const broken = await rule('Broken', { search_query: 'gull' })
  const failing = await rule('Failing', { search_query: 'gull' })
  const orphan = await rule('Orphan', { keywords: ['gull'] })
  const unable = await rule('Unable', { keywords: ['gull'] }, await corvus.tokenFor(['modify discovery-rules']))
  await corvus.pool.query(`update discovery_rules set search_query = 'title:(' where id = $1`, [broken.id])
  // Fails while all rules are compared in one statement.
  await corvus.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise division_by_zero; end $$;
    create trigger refuse before insert on discovered_entities for each row when (new.source = ${failing.id})
      execute function refuse()`)
  await corvus.pool.query(`update discovery_rules set owner = null where id = $1`, [orphan.id])
  const sound = await rule('Sound', { keywords: ['gull'] })
  await entity('A gull')
  await untilCount(sound, 1)
  const problems = await Promise.all(
    [broken, failing, orphan, unable, sound].map(async (of) => (await read(of)).problem),
  )
  assert.match(problems[0], /^The rule cannot be evaluated: query: /)
  assert.match(problems[1], /^The rule cannot be evaluated: /)
  assert.match(problems[2], /does not exist or is inactive\. Save the rule again to take it over\.$/)
  assert.match(problems[3], /may not read entities\. Save the rule again/)
  assert.equal(problems[4], null)
  const { rows } = await corvus.pool.query(`select failures from followers where name = 'discovery-rules'`)
  assert.deepEqual(rows, [{ failures: 0 }])
  await corvus.call('PATCH', `discovery-rules/${broken.id}`, { data: { search_query: 'gull' } })
  await entity('Another gull')
  await untilCount(broken, 1)
  assert.equal((await read(broken)).problem, null)
  for (const { id } of [failing, orphan, unable]) await corvus.call('DELETE', `discovery-rules/${id}`)
})
