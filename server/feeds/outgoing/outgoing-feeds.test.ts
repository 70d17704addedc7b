import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import { CSV, corvus, DOWNLOAD, makeFeed, ok } from '../../../test/set-up/outgoing-feeds.ts'

const PUSH = 'eiq.outgoing-transports.http-push'
const STIX2 = 'urn:oasis:stix:json:2.1'
const TOKEN = '<PASS_THROUGH_TOKEN>'

const rowOf = async (id: number) =>
  (await corvus.pool.query('select * from outgoing_feeds where id = $1', [id])).rows[0]

const details = async (method: 'POST' | 'PUT' | 'PATCH', path: string, data: unknown): Promise<string[]> => {
  const { status, body } = await corvus.call(method, path, { data })
  assert.equal(status, 400, JSON.stringify(body))
  return body.map(({ detail }: { detail: string }) => detail)
}

test('a feed is created from what existing clients send, and returned as they expect it', async () => {
  const dataset = await ok('POST', 'datasets', { name: 'For clients', workspaces: [1] })
  const group = await ok('POST', 'groups', { name: 'Clients' })
  const made = await ok('POST', 'outgoing-feeds/', {
    allowed_extract_states: [
      { classification: 'bad', confidence: 'high' },
      { classification: 'bad', confidence: 'low' },
      { classification: 'good' },
      { classification: 'unknown' },
    ],
    allowed_link_types: ['sighted', 'test-mechanism'],
    anonymize_skip_paths: [],
    content_configuration: { producer_override_enabled: false },
    content_type: 'urn:vendor.example:csv-extracts:1.0',
    enrichment_extract_types: ['company'],
    extract_types: ['actor-id', 'fox-it-portal-uri', 'geo-lat', 'hash-md5', 'ipv4', 'uri', 'winregistry', 'yara'],
    include_without_link_type: true,
    intel_sets: [String(dataset.id)],
    is_active: false,
    name: 'clients',
    require_valid_data: false,
    transport_configuration: { authorized_groups: [String(group.id)], is_public: false },
    transport_type: DOWNLOAD,
    update_strategy: 'DIFF',
    whitelist_sources: [],
    whitelist_tags: [],
    whitelist_taxonomy_nodes: [],
  })
  assert.equal(typeof made.id, 'number')
  assert.partialDeepStrictEqual(made, {
    name: 'clients',
    content_type: CSV,
    transport_type: DOWNLOAD,
    update_strategy: 'DIFF',
    packaging_status: null,
    packaging_last_run_at: null,
    last_triggered_at: null,
    is_active: false,
    datasets: [`${BASE}/api/v2/datasets/${dataset.id}`],
    authorised_groups: [`${BASE}/api/v2/groups/${group.id}`],
    allowed_extract_states: [
      { classification: 'bad', confidence: 'high' },
      { classification: 'bad', confidence: 'low' },
      { classification: 'good' },
      { classification: 'unknown' },
    ],
    status: 'PENDING',
    include_without_link_type: true,
    transport_configuration: {},
    transport_access_details: {
      download_url: `${BASE}/private/outgoing-feed-download/${made.id}`,
      latest_url: `${BASE}/private/outgoing-feed-download/${made.id}/runs/latest`,
    },
  })
  assert.ok(!('intel_sets' in made) && !('transport_secrets' in made) && !('keys' in made))
  assert.match(made.update_task, /\/api\/v2\/tasks\/\d+$/)
  const task = await ok('GET', made.update_task.slice(BASE.length))
  assert.partialDeepStrictEqual(task, { type: 'outgoing-feed', is_active: false, parameters: { feed: made.id } })
  const query = `filter[content_type]=${CSV}&filter[transport_type]=${DOWNLOAD}&attributes=id&limit=500`
  const { body } = await corvus.call('GET', `outgoing-feeds?${query}`)
  assert.deepEqual(body.data, [{ id: made.id }])
  assert.equal((await corvus.call('GET', 'outgoing-feeds?filter[transport_type]=taxii2')).body.total_count, 0)
  const { allowed_extract_states } = await ok('PATCH', `outgoing-feeds/${made.id}`, {
    allowed_extract_states: ['malicious'],
  })
  assert.deepEqual(
    allowed_extract_states,
    ['low', 'medium', 'high'].map((confidence) => ({ classification: 'bad', confidence })),
  )
  const sentBack = await ok('PATCH', `outgoing-feeds/${made.id}`, { allowed_extract_states })
  assert.deepEqual(sentBack.allowed_extract_states, allowed_extract_states)
})

test('every invalid field and every invalid combination is named', async () => {
  const base = { name: 'bad', content_type: CSV, transport_type: DOWNLOAD }
  const fields = await details('POST', 'outgoing-feeds', {
    ...base,
    content_type: 'urn:x:y',
    transport_type: 'pigeon',
    update_strategy: 'SOMETIMES',
    extract_types: ['ipv4', 'smell'],
    allowed_extract_states: ['bad'],
    half_life_filter: 101,
    tlp_color_filter: 'BLUE',
    source_reliability_filter: 'G',
    anonymisation: [{ find: '', replace: 'x' }],
    keep_days: 0,
    execution_schedule: { cron: 'never' },
  })
  for (const name of [
    'content_type',
    'transport_type',
    'update_strategy',
    'extract_types',
    'allowed_extract_states',
    'half_life_filter',
    'tlp_color_filter',
    'source_reliability_filter',
    'anonymisation',
    'keep_days',
    'execution_schedule',
  ]) {
    assert.ok(
      fields.some((detail) => detail.includes(name)),
      `${name}: ${fields.join('\n')}`,
    )
  }
  const rules = await details('PUT', 'outgoing-feeds', [
    { ...base, content_type: STIX2, update_strategy: 'DIFF', entity_types: ['indicator', 'smell'] },
    { ...base, name: 'b', transport_type: 'taxii2' },
    { ...base, name: 'c', transport_type: PUSH, transport_configuration: { method: 'GET' } },
    { ...base, name: 'd', transport_configuration: { authorized_groups: ['x'] } },
  ])
  assert.match(rules.join('\n'), /^\[0\]\.entity_types\[1\]: 'smell'/m)
  assert.match(rules.join('\n'), /^\[0\]\.update_strategy: DIFF needs .*csv-extracts/m)
  assert.match(rules.join('\n'), /^\[1\]\.content_type: must be urn:oasis:stix:json:2\.1/m)
  assert.match(rules.join('\n'), /^\[2\]\.transport_configuration\.url/m)
  assert.match(rules.join('\n'), /^\[2\]\.transport_configuration\.method/m)
  assert.match(rules.join('\n'), /^\[3\]\.transport_configuration\.authorized_groups/m)
  const { id } = await makeFeed({ update_strategy: 'DIFF' })
  assert.match((await details('PATCH', `outgoing-feeds/${id}`, { content_type: STIX2 })).join(), /DIFF needs/)
  assert.match((await details('PATCH', `outgoing-feeds/${id}`, { transport_type: 'taxii2' })).join(), /TAXII/)
  assert.match((await details('PATCH', `outgoing-feeds/${id}`, { transport_type: PUSH })).join(), /configuration\.url/)
  assert.match((await details('PATCH', `outgoing-feeds/${id}`, { datasets: [999_999] })).join(), /no '999999'/)
  assert.equal((await corvus.call('PATCH', 'outgoing-feeds/999999', { data: {} })).status, 404)
})

test('secrets are sealed, never returned, kept by the pass-through token, and not sent to another server', async () => {
  const url = 'https://siem.example/in'
  const made = await makeFeed({
    transport_type: 'http_push',
    transport_configuration: { url, password: 'hush', username: 'u', token: null },
  })
  assert.equal(made.transport_type, PUSH)
  assert.partialDeepStrictEqual(made.transport_configuration, { url, password: TOKEN, method: 'POST', proxy: null })
  const path = `outgoing-feeds/${made.id}`
  const secretsOf = async () => (await rowOf(made.id)).transport_secrets
  assert.doesNotMatch(JSON.stringify(await rowOf(made.id)), /hush/)
  const sealed = await secretsOf()
  assert.equal(typeof sealed, 'string')
  await ok('PATCH', path, { transport_configuration: { password: TOKEN, method: 'PUT', username: 'v' } })
  const put = await ok('PUT', 'outgoing-feeds', [
    { name: made.name, transport_type: PUSH, content_type: CSV, transport_configuration: { url, password: TOKEN } },
  ])
  assert.partialDeepStrictEqual(put[0].transport_configuration, { password: TOKEN, method: 'POST', username: '' })
  const elsewhere = { transport_configuration: { url: 'https://other.example/in' } }
  assert.match((await details('PATCH', path, elsewhere)).join(), /password: must be given again/)
  const gone = await ok('PATCH', path, { transport_configuration: { password: null } })
  assert.equal(gone.transport_configuration.password, null)
  assert.equal(await secretsOf(), null)
  const folder = { transport_type: 'mount-point-upload', transport_configuration: { path: '/srv/feeds' } }
  assert.deepEqual((await ok('PATCH', path, folder)).transport_configuration, { path: '/srv/feeds', filename: '' })
  const { rows } = await corvus.pool.query(`select details::text from changes where resource = 'outgoing_feeds'`)
  assert.doesNotMatch(JSON.stringify(rows), /hush/)
})

test('datasets, sources and taxonomies have their own paths, and those that limit a feed cannot be deleted', async () => {
  const { id } = await makeFeed()
  const dataset = await ok('POST', 'datasets', { name: 'By path', workspaces: [1] })
  const group = await ok('POST', 'groups', { name: 'Whitelisted' })
  const [root, leaf] = await ok('POST', 'taxonomies', { path: 'feeds/limited' })
  const source = group.source.split('/').at(-1)
  const node = (leaf ?? root).id
  const path = `outgoing-feeds/${id}`
  assert.deepEqual(await ok('POST', `${path}/datasets`, [dataset.id]), [`${BASE}/api/v2/datasets/${dataset.id}`])
  await ok('PUT', `${path}/whitelist_sources/${source}`, null)
  await ok('PUT', `${path}/whitelist_taxonomy_nodes/${node}`, null)
  const feed = await ok('GET', path)
  assert.deepEqual(
    [feed.datasets.length, feed.whitelist_sources, feed.whitelist_taxonomy_nodes],
    [1, [group.source], [`${BASE}/api/v2/taxonomies/${node}`]],
  )
  assert.equal((await corvus.call('DELETE', `groups/${group.id}`)).status, 409)
  assert.equal((await corvus.call('DELETE', `taxonomies/${root.id}`)).status, 409)
  assert.equal((await corvus.call('DELETE', `${path}/whitelist_sources/${source}`)).status, 204)
  assert.equal((await corvus.call('DELETE', `groups/${group.id}`)).status, 204)
  assert.equal((await corvus.call('GET', `${path}/authorised_groups`)).status, 404)
})

test('the task of a feed changes with it, and is deleted with it together with its runs, blocks and state', async () => {
  const schedule = { cron: null, interval: 3600, time_zone: 'UTC' }
  const made = await makeFeed({ execution_schedule: schedule })
  assert.ok(made.next_run_at)
  const task = made.update_task.slice(BASE.length)
  const renamed = await ok('PATCH', `outgoing-feeds/${made.id}`, { name: 'renamed', is_active: false })
  assert.equal(renamed.next_run_at, null)
  assert.deepEqual([(await ok('GET', task)).name, (await ok('GET', task)).is_active], ['Outgoing feed: renamed', false])
  assert.equal((await corvus.call('POST', `outgoing-feeds/${made.id}/run`)).status, 409)
  await ok('PATCH', `outgoing-feeds/${made.id}`, { is_active: true })
  const started = await corvus.call('POST', `outgoing-feeds/${made.id}/run`)
  assert.equal(started.status, 202, JSON.stringify(started.body))
  const run = await ok('GET', started.body.data.task_run.slice(BASE.length))
  assert.equal(run.parameters.feed, made.id)
  assert.equal((await ok('GET', `outgoing-feeds/${made.id}`)).status, run.state)
  const again = await corvus.call('POST', `outgoing-feeds/${made.id}/run`)
  assert.equal(again.status, 409)
  assert.match(again.body[0].detail, new RegExp(run.id))
  assert.equal((await corvus.call('DELETE', `outgoing-feeds/${made.id}`)).status, 204)
  assert.equal((await corvus.call('GET', task)).status, 404)
  assert.equal((await corvus.call('POST', `outgoing-feeds/${made.id}/run`)).status, 404)
})

test('an entity shows the feeds that contained it in their last run', async () => {
  const [entity, other] = await ok('PUT', 'entities', [
    { data: { type: 'report', title: 'in a feed' } },
    { data: { type: 'report', title: 'in none' } },
  ])
  const { id } = await makeFeed()
  await corvus.pool.query('insert into outgoing_feed_entities (source, target) values ($1, $2)', [id, entity.id])
  const url = `${BASE}/api/v2/outgoing-feeds/${id}`
  assert.deepEqual((await ok('GET', `entities/${entity.id}`)).outgoing_feeds, [url])
  assert.deepEqual((await ok('GET', `entities/${other.id}`)).outgoing_feeds, [])
  const { body } = await corvus.call('GET', `entities?filter[outgoing_feeds]=${id}&attributes=id,outgoing_feeds`)
  assert.deepEqual(body.data, [{ id: entity.id, outgoing_feeds: [url] }])
})
