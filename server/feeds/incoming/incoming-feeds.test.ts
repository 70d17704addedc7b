import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import { ask, corvus, detailsOf, logLines, makeFeed, makePushFeed } from '../../../test/set-up/incoming-feeds.ts'
import { PASS_THROUGH } from '../../engine/field-class.ts'

const idOf = (url: string): string => url.split('/').at(-1) ?? ''

test('a feed stores the configuration of its transport with defaults, and accepts any spelling of the transport', async () => {
  const feed = await makeFeed('/list', {
    transport_type: 'http_download',
    content_type: 'urn:acme.example:JSON:3.2',
    tlp_color_override: 'CLEAR',
  })
  assert.equal(feed.transport_type, 'eiq.incoming-transports.http-download')
  assert.equal(feed.content_type, 'urn:eclecticiq.com:json:3.2')
  assert.equal(feed.tlp_color_override, 'WHITE')
  assert.equal(feed.transport_configuration.timeout_seconds, 300)
  assert.equal(feed.transport_configuration.password, null)
  assert.equal(feed.transport_access_details, null)
  assert.deepEqual([feed.status, feed.n_blobs_pending, feed.failures, feed.last_error], ['PENDING', 0, 0, null])
})

test('a content type is accepted in any spelling if it can be read, and a refusal lists the readable ones', async () => {
  for (const [sent, kept] of [
    ['URN:oasis:STIX:json:2.0', 'urn:oasis:stix:json:2.0'],
    ['urn:misp:json:1.0', 'urn:misp:json:1.0'],
    ['urn:acme.example:csv-extracts:1.0', 'urn:eclecticiq.com:csv-extracts:1.0'],
    [null, null],
  ]) {
    assert.equal((await makeFeed('/list', { content_type: sent })).content_type, kept)
  }
  for (const content_type of ['urn:x:y', 'urn:misp:json:9.9', 'urn:eclecticiq.com:attachments-zip:1.0', 'json', '']) {
    const sent = { ...exampleFeed(), content_type }
    const answer = await corvus.call('POST', 'incoming-feeds', { data: sent })
    assert.equal(answer.status, 400, content_type)
    if (content_type === '') continue
    assert.match(
      detailsOf(answer)[0] ?? '',
      /^data\.content_type: must be one of urn:oasis:stix:json:2\.1, .*urn:misp:json:1\.0/,
    )
  }
})

const exampleFeed = () => ({
  name: randomUUID(),
  transport_type: 'http-download',
  transport_configuration: { url: 'https://feeds.example/list' },
})

test('every invalid field is named with its path', async () => {
  const bad = {
    name: '',
    transport_type: 'http-download',
    transport_configuration: { url: 'ftp://x', headers: { Host: 'x' }, timeout_seconds: 0 },
    half_life: 0,
    source_reliability: 'G',
    content_type: 'json',
  }
  const details = detailsOf(await corvus.call('POST', 'incoming-feeds', { data: bad }))
  const named = details.map((detail) => detail.split(':')[0]).sort()
  assert.deepEqual(named, [
    'data.content_type',
    'data.half_life',
    'data.name',
    'data.source_reliability',
    'data.transport_configuration.headers.Host',
    'data.transport_configuration.timeout_seconds',
    'data.transport_configuration.url',
  ])
  const unknown = { name: 'x', transport_type: 'carrier-pigeon' }
  assert.match(
    detailsOf(await corvus.call('POST', 'incoming-feeds', unknown))[0] ?? '',
    /transport_type: must be one of/,
  )
  const lacking = { name: 'x', transport_type: 'taxii2' }
  assert.equal((await corvus.call('POST', 'incoming-feeds', lacking)).status, 400)
  const two = await corvus.call('PUT', 'incoming-feeds', [
    { ...bad, name: 'a' },
    { ...bad, name: 'b' },
  ])
  assert.ok(
    detailsOf(two).some((detail) => detail.startsWith('[1].transport_configuration.url')),
    JSON.stringify(two.body),
  )
})

test('secrets are not in responses, history, audit trail or log, and are not sent to another server', async () => {
  const secrets = ['password', 'token', 'api_key', 'client_key'].map((name) => [name, `secret-${name}-${randomUUID()}`])
  const archive = `secret-archive-${randomUUID()}`
  const feed = await makeFeed('/secret', {
    transport_configuration: { url: 'http://127.0.0.1:9/x', username: 'u', ...Object.fromEntries(secrets) },
    archive_password: archive,
  })
  assert.equal(feed.archive_password, PASS_THROUGH)
  assert.equal(feed.transport_configuration.token, PASS_THROUGH)
  const path = `incoming-feeds/${feed.id}`
  const kept = await ask('PATCH', path, {
    transport_configuration: { timeout_seconds: 5 },
    archive_password: PASS_THROUGH,
  })
  assert.equal(kept.transport_configuration.token, PASS_THROUGH)
  assert.equal(kept.transport_configuration.url, 'http://127.0.0.1:9/x')
  const moved = await corvus.call('PATCH', path, { transport_configuration: { url: 'http://127.0.0.2:9/x' } })
  assert.equal(moved.status, 400)
  assert.match(detailsOf(moved).join(), /token: must be given again/)
  const cleared = await ask('PATCH', path, { transport_configuration: { token: null }, archive_password: null })
  assert.deepEqual([cleared.transport_configuration.token, cleared.archive_password], [null, null])
  const bad = await corvus.call('PATCH', path, { transport_configuration: { token: 'secret with spaces' } })
  assert.doesNotMatch(JSON.stringify(bad.body), /secret with spaces/)
  const history = await corvus.call('GET', 'history-events?limit=200')
  const audit = await corvus.call('GET', 'audit-trail?limit=200')
  const { rows } = await corvus.pool.query('select to_jsonb(t) as row from incoming_feeds as t where id = $1', [
    feed.id,
  ])
  const seen = [feed, kept, moved.body, cleared, history.body, audit.body, rows].map((each) => JSON.stringify(each))
  const all = [...seen, ...logLines].join('\n')
  for (const secret of [...secrets.map(([, value]) => value ?? ''), archive]) assert.ok(!all.includes(secret), secret)
})

test('a patch of the transport keeps the settings that fit, and names the missing ones', async () => {
  const feed = await makeFeed('/list', { transport_configuration: { url: 'https://x.example/a', timeout_seconds: 7 } })
  const path = `incoming-feeds/${feed.id}`
  const refused = await corvus.call('PATCH', path, { transport_type: 'taxii2' })
  assert.deepEqual(detailsOf(refused), ['transport_configuration.collection_id: is required'])
  const patch = { transport_type: 'taxii2', transport_configuration: { collection_id: 'c' } }
  const { transport_configuration: now } = await ask('PATCH', path, patch)
  assert.deepEqual([now.url, now.timeout_seconds, now.collection_id], ['https://x.example/a', 7, 'c'])
  const rss = await ask('PATCH', path, { transport_type: 'rss' })
  assert.ok(!('collection_id' in rss.transport_configuration))
})

test('a change of the transport resets the cursor, and a new secret does not', async () => {
  const feed = await makeFeed('/list', { transport_configuration: { url: 'https://x.example/a', token: 'one' } })
  const path = `incoming-feeds/${feed.id}`
  const cursor = async () =>
    (await corvus.pool.query('select "cursor" from incoming_feeds where id = $1', [feed.id])).rows[0].cursor
  await corvus.pool.query(`update incoming_feeds set "cursor" = '{"etag": "x"}' where id = $1`, [feed.id])
  await ask('PATCH', path, { description: 'y', transport_configuration: { token: 'two' } })
  assert.deepEqual(await cursor(), { etag: 'x' })
  await ask('PATCH', path, { transport_configuration: { url: 'https://x.example/b' } })
  assert.equal(await cursor(), null)
})

test('the source and task of a feed are created, renamed and deleted with it', async () => {
  const feed = await makeFeed('/list', { execution_schedule: { interval: 3600 } })
  const source = await ask('GET', feed.source)
  assert.deepEqual([source.name, source.type], [feed.name, 'incoming_feed'])
  const task = await ask('GET', feed.update_task)
  assert.deepEqual([task.name, task.type, task.is_owned], [`Incoming feed: ${feed.name}`, 'incoming-feed', true])
  assert.equal(feed.next_run_at, task.next_run_at)
  const group = (await ask('GET', 'groups?filter[name]=Default'))[0]
  assert.ok(group.sources.includes(`${feed.source}?allowed_tlp=RED`))
  const name = `Renamed ${randomUUID()}`
  const renamed = await ask('PATCH', `incoming-feeds/${feed.id}`, { name, execution_schedule: null })
  assert.equal(renamed.next_run_at, null)
  assert.equal((await ask('GET', feed.source)).name, name)
  assert.equal((await ask('GET', feed.update_task)).name, `Incoming feed: ${name}`)
  await ask('DELETE', `incoming-feeds/${feed.id}`)
  for (const url of [feed.source, feed.update_task])
    assert.equal((await corvus.call('GET', url.slice(BASE.length))).status, 404)
})

test('the task of a feed is changed through the feed, and can be run by users who may run tasks', async () => {
  const feed = await makePushFeed()
  const task = idOf(feed.update_task)
  const { name } = await ask('GET', `tasks/${task}`)
  for (const refused of [
    await corvus.call('PATCH', `tasks/${task}`, { is_active: false }),
    await corvus.call('PUT', 'tasks', [{ name, type: 'housekeeping' }]),
    await corvus.call('DELETE', `tasks/${task}`),
  ]) {
    assert.equal(refused.status, 409)
    assert.match(detailsOf(refused)[0] ?? '', new RegExp(`/incoming-feeds/${feed.id}: change or delete that`))
  }
  const run = { task: feed.update_task }
  const denied = await corvus.call('POST', 'tasks/runs', run, await corvus.tokenFor(['modify incoming-feeds']))
  assert.equal(denied.status, 403)
  assert.equal((await corvus.call('POST', 'tasks/runs', run, await corvus.tokenFor(['modify tasks']))).status, 201)
})

test('a run with the id of another feed does nothing', async () => {
  const [feed, other] = [await makePushFeed(), await makePushFeed()]
  const run = await ask('POST', 'tasks/runs', { task: feed.update_task, parameters: { feed: other.id } })
  const { endOf } = await import('../../../test/set-up/incoming-feeds.ts')
  const ended = await endOf(`tasks/runs/${run.id}`)
  assert.equal(ended.state, 'FAILURE')
  assert.equal((await ask('GET', `incoming-feeds/${other.id}`)).last_triggered_at, null)
})

test('a feed with the push transport returns its addresses', async () => {
  const feed = await makePushFeed()
  assert.equal(feed.transport_access_details.push_url, `${BASE}/api/v2/incoming-feeds/${feed.id}/push`)
  assert.match(
    feed.transport_access_details.taxii_collection_url,
    /^http:\/\/corvus\.test\/taxii2\/root\/collections\/[0-9a-f-]{36}\/$/,
  )
  const [listed] = await ask('GET', `incoming-feeds?filter[name]=${feed.name}&attributes=transport_access_details`)
  assert.deepEqual(listed, { transport_access_details: feed.transport_access_details })
})

test('an inactive feed does not run', async () => {
  const feed = await makePushFeed({ is_active: false })
  const refused = await corvus.call('POST', `incoming-feeds/${feed.id}/run`)
  assert.equal(refused.status, 409)
})

test('CSV mappings and knowledge packs name the feeds that they use, and packs contain them without secrets', async () => {
  const mapping = await ask('POST', 'csv-mappings', {
    name: `Mapping ${randomUUID()}`,
    mappings: [{ column_name: 'url', vendor_fields: ['extracts.uri'] }],
  })
  const token = `secret-${randomUUID()}`
  const feed = await makeFeed('/list', {
    csv_mapping: mapping.id,
    transport_configuration: { url: 'https://x.example/a', token },
    archive_password: token,
  })
  const url = `${BASE}/api/v2/incoming-feeds/${feed.id}`
  assert.deepEqual((await ask('GET', `csv-mappings/${mapping.id}`)).incoming_feeds, [url])
  const pack = await ask('POST', 'knowledge-packs', { name: `Pack ${randomUUID()}`, incoming_feeds: [feed.id] })
  assert.deepEqual(await ask('GET', `knowledge-packs/${pack.id}/incoming_feeds`), [url])
  const { body: file } = await corvus.call('GET', `knowledge-packs/${pack.id}/export`)
  const [carried] = file.objects.incoming_feeds
  assert.equal(carried.csv_mapping, mapping.name)
  assert.ok(!JSON.stringify(file).includes(token))
  for (const name of ['status', 'failures', 'source', 'update_task', 'archive_password'])
    assert.ok(!(name in carried), name)
  await ask('DELETE', `incoming-feeds/${feed.id}`)
  await ask('POST', 'knowledge-packs/install', file)
  const [again] = await ask('GET', `incoming-feeds?filter[name]=${encodeURIComponent(feed.name)}`)
  assert.deepEqual(
    [again.transport_configuration.url, again.transport_configuration.token],
    ['https://x.example/a', null],
  )
})
