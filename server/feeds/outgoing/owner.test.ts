import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import {
  CSV,
  contextOf,
  corvus,
  download,
  makeFeed,
  ok,
  person,
  writeBlock,
} from '../../../test/set-up/outgoing-feeds.ts'
import { TaskError } from '../../background/task.ts'
import { lockFeed } from './lock-feed.ts'

const STIX2 = 'urn:oasis:stix:json:2.1'

await ok('POST', 'groups', { name: 'Desk' })
/** Two users who see the sources of both groups, and one who sees only one of them. */
const alice = await person(['Default', 'Desk'])
const carol = await person(['Default', 'Desk'])
const bob = await person(['Default'])

const rowOf = async (id: number) =>
  (await corvus.pool.query('select * from outgoing_feeds where id = $1', [id])).rows[0]
const ownerOf = async (id: number): Promise<string> => (await ok('GET', `outgoing-feeds/${id}`)).owner
const urlOf = async (token: string): Promise<string> => {
  const { id } = await ok('GET', 'users/self', undefined, token)
  return `${BASE}/api/v2/users/${id}`
}

/** What a feed remembers about what it sent. */
async function remember(id: number): Promise<void> {
  const { pool } = corvus
  await pool.query(`insert into outgoing_feed_items (feed, key, hash) values ($1, 'a', '')`, [id])
  await pool.query(`insert into outgoing_feed_entities (source, target) values ($1, gen_random_uuid())`, [id])
  await pool.query(`insert into collection_objects values ($1, now(), 'x--1', 'x', '2.1', now(), true, '', '{}')`, [id])
  await pool.query(`update outgoing_feeds set packaging_status = 'SUCCESS' where id = $1`, [id])
}

async function remembered(id: number): Promise<number> {
  const { rows } = await corvus.pool.query(
    `select (select count(*) from outgoing_feed_items where feed = $1)
      + (select count(*) from outgoing_feed_entities where source = $1)
      + (select count(*) from collection_objects where feed = $1) as count`,
    [id],
  )
  return Number(rows[0].count)
}

test('a user who writes a feed in any way becomes its owner', async () => {
  const { id, name } = await makeFeed({}, alice)
  const dataset = await ok('POST', 'datasets', { name: 'Owned', workspaces: [1] })
  const writes = [
    () => ok('PATCH', `outgoing-feeds/${id}`, { description: 'x' }, carol),
    () => ok('PUT', 'outgoing-feeds', [{ name, content_type: CSV, transport_type: 'http-download' }], alice),
    () => corvus.call('PUT', `outgoing-feeds/${id}/datasets/${dataset.id}`, undefined, corvus.admin),
    () => corvus.call('DELETE', `outgoing-feeds/${id}/datasets/${dataset.id}`, undefined, corvus.admin),
  ]
  const owners = [carol, alice, corvus.admin, corvus.admin]
  assert.equal(await ownerOf(id), await urlOf(alice))
  for (const [i, write] of writes.entries()) {
    await write()
    assert.equal(await ownerOf(id), await urlOf(owners[i] ?? ''), `write ${i}`)
  }
  assert.equal((await rowOf(id)).base_url, BASE)
})

test('a user who sees everything that a feed may have sent can take it over without a restart', async () => {
  const { id } = await makeFeed({}, alice)
  const block = await writeBlock(id, 'all', { token: alice })
  await ok('PATCH', `outgoing-feeds/${id}`, { description: 'taken over' }, carol)
  assert.equal((await rowOf(id)).epoch, 1)
  assert.equal((await download(`content-blocks/${block}/download`, alice)).text, 'all')
})

test('a user who does not see all of it restarts the feed by taking it over, and gets nothing that was sent', async () => {
  const { id } = await makeFeed(
    { transport_type: 'http-push', transport_configuration: { url: 'https://a.example' } },
    alice,
  )
  const block = await writeBlock(id, 'secret', { token: alice, delivery_status: 'PENDING' })
  await remember(id)
  assert.equal((await download(`content-blocks/${block}/download`, bob)).status, 404)
  await ok('PATCH', `outgoing-feeds/${id}`, { transport_configuration: { url: 'https://b.example' } }, bob)
  assert.equal((await download(`content-blocks/${block}/download`, bob)).status, 410)
  const { delivery_status, delivery_error } = await ok('GET', `content-blocks/${block}`, undefined, bob)
  assert.deepEqual([delivery_status, delivery_error], ['FAILED', 'It was purged before it was delivered.'])
  const { epoch, keys } = await rowOf(id)
  assert.deepEqual([epoch, await remembered(id)], [2, 0])
  assert.equal(keys.length, 5)
})

test('a feed with stricter filters keeps the keys of what it sent until it is restarted', async () => {
  const { id } = await makeFeed({}, alice)
  const [before] = [(await rowOf(id)).keys]
  assert.equal(before.length, 10)
  await ok('PATCH', `outgoing-feeds/${id}`, { tlp_color_filter: 'NONE' }, alice)
  assert.deepEqual((await rowOf(id)).keys, before)
  const { epoch } = await ok('POST', `outgoing-feeds/${id}/restart`, undefined, bob)
  assert.equal(epoch, 2)
  assert.equal(await ownerOf(id), await urlOf(alice))
  assert.equal((await rowOf(id)).keys.length, 2)
})

test('a change of content type, strategy or kind of transport restarts a feed, and no other change does', async () => {
  const { id, created_at } = await makeFeed({ content_type: STIX2, update_strategy: 'REPLACE' }, alice)
  let block = await writeBlock(id, 'one', { token: alice })
  await remember(id)
  for (const patch of [
    { name: `other ${id}` },
    { entity_types: ['report'] },
    { content_type: STIX2 },
    { update_strategy: 'REPLACE' },
  ]) {
    assert.equal((await ok('PATCH', `outgoing-feeds/${id}`, patch, alice)).epoch, 1, JSON.stringify(patch))
  }
  assert.equal(await remembered(id), 3)
  const changes = [
    { update_strategy: 'APPEND' },
    { transport_type: 'taxii2' },
    { transport_type: 'http-download' },
    { content_type: CSV },
    { update_strategy: 'DIFF' },
  ]
  for (const [i, patch] of changes.entries()) {
    const feed = await ok('PATCH', `outgoing-feeds/${id}`, patch, alice)
    assert.deepEqual([feed.epoch, feed.packaging_status, await remembered(id)], [i + 2, null, 0])
    assert.ok(feed.created_at > created_at)
    assert.equal((await download(`content-blocks/${block}/download`, alice)).status, 410)
    block = await writeBlock(id, `after ${i}`, { token: alice })
    await remember(id)
  }
})

test('a run that began before its feed was restarted stores nothing', async () => {
  const { id } = await makeFeed({}, alice)
  const ctx = await contextOf(alice)
  await ok('POST', `outgoing-feeds/${id}/restart`, undefined, alice)
  const lock = (epoch: number) => corvus.db.transaction().execute((db) => lockFeed({ ...ctx, db }, { id, epoch }))
  await assert.rejects(lock(1), (error) => error instanceof TaskError && !error.isFinal)
  assert.equal((await lock(2)).id, id)
})

test('the preview of a feed is only available to users who may read what it sends', async () => {
  const { id } = await makeFeed({ is_active: false }, alice)
  assert.equal((await corvus.call('POST', `outgoing-feeds/${id}/preview`, undefined, bob)).status, 404)
  const { status, body } = await corvus.call('POST', `outgoing-feeds/${id}/preview`, undefined, carol)
  assert.equal(status, 202, JSON.stringify(body))
  const { rows } = await corvus.pool.query('select parameters, created_by from task_runs where id = $1', [
    body.data.task_run.split('/').at(-1),
  ])
  assert.partialDeepStrictEqual(rows[0].parameters, { feed: id, preview: true })
  const path = body.data.report.slice(BASE.length)
  assert.equal((await corvus.call('GET', path, undefined, carol)).status, 404)
  await corvus.pool.query(`insert into feed_reports (run, owner, report) values ($1, $2, '{"items": 1}')`, [
    body.data.task_run.split('/').at(-1),
    rows[0].created_by,
  ])
  assert.deepEqual((await corvus.call('GET', path, undefined, carol)).body, { data: { items: 1 } })
  assert.equal((await corvus.call('GET', path, undefined, alice)).status, 404)
})
