import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { configureMail, makeUser } from '../../../test/mail.ts'
import { makeId } from '../../engine/ids.ts'
import { openVault } from '../../identity/access/vault.ts'
import { openContent } from '../../mail/content.ts'
import { resourceMap } from '../../registry.ts'
import type { Server } from '../../server.ts'
import { taskTypes } from '../../tasks.ts'
import { feedHealth } from './feed-health.ts'
import { sendStalenessNotifications } from './staleness-notifications.ts'

const HOURLY = { cron: null, interval: 3600, time_zone: 'UTC' }
const IN = { transport_type: 'eiq.incoming-transports.push' }
const OUT = {
  transport_type: 'eiq.outgoing-transports.http-download',
  content_type: 'urn:eclecticiq.com:csv-extracts:1.0',
}

let corvus: Awaited<ReturnType<typeof startApp>>
let server: Server
let ada: number
let bob: number
before(async () => {
  corvus = await startApp()
  const vault = await openVault(corvus.config)
  server = { db: corvus.db, vault, resources: resourceMap, taskTypes, publicUrl: corvus.config.url }
  await configureMail(corvus, 1)
  const { body } = await corvus.call('GET', 'permissions?limit=1000')
  const role = async (...names: string[]) => {
    const permissions = body.data.filter(({ name }: { name: string }) => names.includes(name))
    const ids = permissions.map(({ id }: { id: number }) => id)
    const made = await corvus.call('POST', 'roles', { data: { name: names.join(), permissions: ids } })
    return made.body.data.id
  }
  const feeds = ['read incoming-feeds', 'modify incoming-feeds', 'read outgoing-feeds', 'modify outgoing-feeds']
  ada = await makeUser(corvus, 'ada', { roles: [await role(...feeds)] })
  bob = await makeUser(corvus, 'bob', { roles: [await role('read incoming-feeds', 'read outgoing-feeds')] })
})
after(() => corvus.stop())
beforeEach(async () => {
  await corvus.pool.query('delete from incoming_feeds; delete from outgoing_feeds; delete from mails')
})

async function make(path: string, name: string, rest: object = {}): Promise<number> {
  const data = { name, ...(path === 'incoming-feeds' ? IN : OUT), execution_schedule: HOURLY, ...rest }
  const { status, body } = await corvus.call('POST', path, { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

/** Makes a feed look idle for a number of hours. */
const rest = (table: string, id: number, hours: number) =>
  corvus.pool.query(
    `update ${table} set last_success_at = now() - make_interval(hours => $2),
      ${table === 'incoming_feeds' ? 'last_new_at = now() - make_interval(hours => $2),' : ''}
      created_at = now() - interval '1 year', last_updated_at = now() - interval '1 year'
    where id = $1`,
    [id, hours],
  )

/** Runs the check, and returns what it found and which mails it led to. */
async function look() {
  const lines: string[] = []
  const { result } = await feedHealth.run({
    ...server,
    id: makeId(),
    attempt: 1,
    parameters: {},
    callerId: null,
    signal: new AbortController().signal,
    progress: () => {},
    log: (line) => lines.push(line),
  })
  await Promise.all([sendStalenessNotifications(server), sendStalenessNotifications(server)])
  const { rows } = await corvus.pool.query('delete from mails returning "user", content')
  const mails = rows.flatMap(({ user, content }) => {
    const says = openContent(server, content)
    return says && 'news' in says ? says.news.map(({ text, url }) => ({ user, text, url })) : []
  })
  return { result, lines, mails }
}

test('users who may change feeds are notified once that a feed is stale, and once that it recovered', async () => {
  const id = await make('incoming-feeds', 'Botnets', { stale_after_hours: 24 })
  await rest('incoming_feeds', id, 25)
  const { result, lines, mails } = await look()
  assert.deepEqual(result, { feeds: 1, stale: 1, newly_stale: 1, recovered: 0 })
  assert.deepEqual(lines, [`'Botnets' is stale. Nothing new has arrived for 25 hours.`])
  const text = 'The incoming feed ‘Botnets’ has received nothing new for longer than expected.'
  assert.deepEqual(mails, [{ user: ada, text, url: `http://corvus.test/incoming-feeds/${id}` }])
  assert.deepEqual((await look()).mails, [])
  await rest('incoming_feeds', id, 0)
  const again = await look()
  assert.deepEqual(again.result, { feeds: 1, stale: 0, newly_stale: 0, recovered: 1 })
  assert.deepEqual(
    again.mails.map((mail) => mail.text),
    ['The incoming feed ‘Botnets’ is working again.'],
  )
  assert.deepEqual((await look()).mails, [])
  await rest('incoming_feeds', id, 30)
  assert.equal((await look()).mails.length, 1)
  assert.notEqual(ada, bob)
})

test('an outgoing feed is stale when no run succeeds, and reports since when it has been failing', async () => {
  const id = await make('outgoing-feeds', 'For partners')
  await rest('outgoing_feeds', id, 30)
  await corvus.pool.query(`update outgoing_feeds set failures = 4, failing_since = '2026-01-02' where id = $1`, [id])
  const { lines, mails } = await look()
  assert.match(lines.join(), /^'For partners' is stale. It has been failing since 2026-01-02T/)
  assert.deepEqual(
    mails.map(({ text }) => text),
    ['The outgoing feed ‘For partners’ has not run successfully for longer than expected.'],
  )
})

test('the notification of an incoming feed says whether its runs fail or nothing new arrived', async () => {
  const cases: [name: string, rest: object, failures: number, text: string][] = [
    ['Silent', { stale_after_hours: 24 }, 0, 'has received nothing new for longer than expected.'],
    [
      'Broken',
      { stale_after_hours: 24 },
      2,
      'has received nothing new for longer than expected: its latest runs failed.',
    ],
    ['Failing', {}, 2, 'has not run successfully for longer than expected.'],
    ['Not run', {}, 0, 'has not run successfully for longer than expected.'],
  ]
  for (const [name, more, failures] of cases) {
    const id = await make('incoming-feeds', name, more)
    await rest('incoming_feeds', id, 30)
    await corvus.pool.query(`update incoming_feeds set failures = $1 where id = $2`, [failures, id])
  }
  const { mails } = await look()
  assert.deepEqual(
    mails.map(({ text }) => text).sort(),
    cases.map(([name, , , text]) => `The incoming feed ‘${name}’ ${text}`).sort(),
  )
})

test('how long a feed may be idle depends on its limit, or on its schedule and is at least a day', async () => {
  const cases: [name: string, rest: object, hours: number, isStale: boolean][] = [
    ['a day at least', {}, 23, false],
    ['its own limit', { stale_after_hours: 2 }, 3, true],
    ['within its own limit', { stale_after_hours: 100 }, 99, false],
    ['weekly', { execution_schedule: { cron: '0 3 * * 1', interval: null, time_zone: 'UTC' } }, 20 * 24, false],
    ['weekly and late', { execution_schedule: { cron: '0 3 * * 1', interval: null, time_zone: 'UTC' } }, 22 * 24, true],
    ['nothing drives it', { execution_schedule: null }, 8000, false],
    ['pushed to, with a limit', { execution_schedule: null, stale_after_hours: 48 }, 49, true],
    ['switched off', { is_active: false }, 8000, false],
    ['quiet, but well', {}, 8000, false],
    ['quiet for too long', { stale_after_hours: 24 }, 8000, true],
  ]
  for (const [name, more, hours] of cases) await rest('incoming_feeds', await make('incoming-feeds', name, more), hours)
  await corvus.pool.query(`update incoming_feeds set last_success_at = now() where name like 'quiet%'`)
  const { body } = await corvus.call('GET', 'feeds/health')
  const found = new Map(body.data.map((feed: { name: string; is_stale: boolean }) => [feed.name, feed.is_stale]))
  for (const [name, , , isStale] of cases) assert.equal(found.get(name), isStale, name)
})

test('a feed that was just changed is not stale, and an inactive feed is not reported', async () => {
  const id = await make('incoming-feeds', 'Quiet')
  await rest('incoming_feeds', id, 100)
  await corvus.call('PATCH', `incoming-feeds/${id}`, { data: { description: 'set right' } })
  assert.deepEqual((await look()).lines, [])
  await rest('incoming_feeds', id, 100)
  assert.equal((await look()).mails.length, 1)
  await corvus.call('PATCH', `incoming-feeds/${id}`, { data: { is_active: false } })
  const { result, mails } = await look()
  assert.deepEqual([result, mails], [{ feeds: 1, stale: 0, newly_stale: 0, recovered: 0 }, []])
})

test('users who turned off notifications of stale feeds get none', async () => {
  const id = await make('incoming-feeds', 'Unloved')
  await rest('incoming_feeds', id, 100)
  await corvus.pool.query('insert into notification_choices ("user", feed_stale) values ($1, false)', [ada])
  assert.deepEqual((await look()).mails, [])
  await corvus.pool.query('delete from notification_choices')
})

test('failures are deleted when they are too old for any statistics', async () => {
  const id = await make('incoming-feeds', 'Old')
  await corvus.pool.query(
    `insert into feed_failures (incoming_feed, kind, failed_at)
    values ($1, 'server', now() - interval '367 days'), ($1, 'server', now() - interval '300 days')`,
    [id],
  )
  await look()
  assert.equal((await corvus.pool.query('select from feed_failures')).rows.length, 1)
})
