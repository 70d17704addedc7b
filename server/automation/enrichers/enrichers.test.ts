import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { detailsOf, type Enrichers, finds, startEnrichers, status } from '../../../test/set-up/enrichers.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

test('an enricher is completed from its function, and owns a source and a task', async () => {
  const { name: _, ...made } = await corvus.ask('POST', 'enrichers', {
    enricher: 'builtin:own_service',
    is_active: false,
    supported_observable_types: ['ipv4', 'ipv4'],
    colour: 'blue',
  })
  assert.partialDeepStrictEqual(made, {
    supported_observable_types: ['ipv4'],
    state: 'INACTIVE',
    max_tlp: 'GREEN',
    cache_validity: 604_800,
    colour: 'blue',
    extra: { colour: 'blue' },
    quota: [],
  })
  assert.equal(_, 'builtin_own_service')
  assert.equal('version' in made, false)
  const source = await corvus.ask('GET', `sources/${made.source.split('/').at(-1)}`)
  assert.partialDeepStrictEqual(source, { type: 'enricher', name: 'builtin_own_service' })
  const task = await corvus.ask('GET', `tasks/${made.task.split('/').at(-1)}`)
  assert.partialDeepStrictEqual(task, { type: 'enricher', is_owned: true, parameters: { enricher: made.id } })
  const changed = await corvus.call('PATCH', `tasks/${task.id}`, { data: { is_active: false } })
  assert.equal(changed.status, 409)
  const patched = await corvus.ask('PATCH', `enrichers/${made.id}`, { size: 3, limits: [{ calls: 4, seconds: 60 }] })
  assert.partialDeepStrictEqual(patched, {
    colour: 'blue',
    size: 3,
    quota: [{ seconds: 60, calls: 4, used: 0, left: 4 }],
  })
})

test('a function that does not exist is stored, but cannot be activated', async () => {
  const item = { name: 'later', enricher: 'http:later', is_active: false, supported_observable_types: ['ipv4'] }
  const made = await corvus.ask('POST', 'enrichers', { ...item, parameters: { api_key: 'hidden', depth: 3 } })
  assert.deepEqual(made.parameters, { api_key: '<PASS_THROUGH_TOKEN>', depth: 3 })
  const answer = await corvus.call('PATCH', `enrichers/${made.id}`, { data: { is_active: true } })
  assert.equal(answer.status, 400)
  assert.match(detailsOf(answer)[0] ?? '', /^is_active: must be false, because there is no function 'http:later'/)
})

test('enrichers of own tables and of modules that the platform does not list are installed', async () => {
  const table = await corvus.ask('POST', 'enricher-tables', { name: 'offices', format: 'csv', key_column: 'address' })
  const own = await corvus.enricher({ enricher: 'table:offices', supported_observable_types: ['ipv4'], parameters: {} })
  const parameters = { url: 'http://127.0.0.1:6666' }
  const module = await corvus.enricher({ enricher: 'misp-module:our_module', parameters })
  assert.deepEqual([own.state, own.state_reason, module.state], ['ACTIVE', null, 'ACTIVE'])

  await corvus.ask('DELETE', `enricher-tables/${table.id}`)
  assert.equal((await corvus.ask('GET', `enrichers/${own.id}`)).state, 'NOT_INSTALLED')
  for (const { id } of [own, module]) await corvus.ask('DELETE', `enrichers/${id}`)
})

test('a 400 names everything that is wrong with an enricher', async () => {
  const answer = await corvus.call('POST', 'enrichers', {
    data: {
      name: 'not a name',
      enricher: 'builtin:own_service',
      is_active: 'yes',
      supported_observable_types: ['colour'],
      limits: [{ calls: 0, seconds: 1 }],
    },
  })
  assert.equal(answer.status, 400)
  assert.deepEqual(
    detailsOf(answer).map((detail) => detail.split(':')[0]),
    ['data.name', 'data.is_active', 'data.supported_observable_types[0]', 'data.limits[0].calls'],
  )
  const types = await corvus.call('POST', 'enrichers', {
    data: { name: 'x', enricher: 'builtin:own_service', is_active: true, supported_observable_types: ['yara'] },
  })
  assert.deepEqual(
    detailsOf(types).map((detail) => detail.split(':')[0]),
    ['supported_observable_types', 'parameters.url'],
  )
})

test('secrets are never returned, are kept by the pass-through token, and never move to another server', async () => {
  const { id, parameters } = await corvus.enricher({ name: 'secretive' })
  assert.equal(parameters.api_key, '<PASS_THROUGH_TOKEN>')
  const kept = await corvus.ask('PATCH', `enrichers/${id}`, { parameters, description: 'changed' })
  assert.equal(kept.parameters.api_key, '<PASS_THROUGH_TOKEN>')
  const moved = await corvus.call('PATCH', `enrichers/${id}`, {
    data: { parameters: { ...parameters, url: 'https://elsewhere.example/' } },
  })
  assert.equal(moved.status, 400)
  assert.match(detailsOf(moved)[0] ?? '', /^parameters\.api_key: must be given again/)
  const { rows } = await corvus.pool.query('select * from enrichers where id = $1', [id])
  assert.doesNotMatch(JSON.stringify(rows), /key-of-secretive/)
  const { rows: changes } = await corvus.pool.query(`select details from changes where resource = 'enrichers'`)
  assert.doesNotMatch(JSON.stringify(changes), /key-of-secretive/)
})

test('a look-up stores verdict, links, entity and answer in the source of the enricher', async () => {
  const enricher = await corvus.enricher({ name: 'complete', tlp_color: 'GREEN' })
  corvus.source.answers(
    '/complete',
    finds(
      { kind: 'verdict', maliciousness: 'low' },
      { kind: 'verdict', maliciousness: 'high', reason: 'A known server of a botnet.' },
      {
        kind: 'link',
        relation: 'resolves-to',
        observable: { type: 'ipv4', value: '198.51.100.9' },
        first_seen: '2026-01-01',
      },
      { kind: 'link', relation: 'resolves-to', observable: { type: 'ipv4', value: 'no address' } },
      { kind: 'entity', type: 'malware', id: 'm-1', title: 'Emotet', names: ['Heodo'], url: 'https://x.example/m-1' },
      { kind: 'tag', value: 'botnet' },
      { kind: 'attack', node: 't1566.001' },
      { kind: 'attack', node: 'T1086' },
      { kind: 'attack', node: 'T9999' },
      { kind: 'surprise' },
    ),
  )
  const observable = await corvus.observable('complete.example')
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [observable.id] }))
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  assert.partialDeepStrictEqual(run.result, { look_ups: 1, found: 1, summary: 'Of 1 look-ups, 1 found something.' })
  const enrichment = await corvus.enrichmentOf(enricher.id, observable.id)
  assert.partialDeepStrictEqual(enrichment, { state: 'FOUND', reason: null, is_pending: false })
  assert.equal(enrichment.findings.length, 9)
  assert.deepEqual(
    enrichment.findings.flatMap(({ kind, node }: { kind: string; node: string }) => (kind === 'attack' ? node : [])),
    ['T1566.001', 'T1059.001', 'T9999'],
  )
  assert.equal(enrichment.warnings.length, 4, enrichment.warnings.join())
  const raw = await corvus.call('GET', `enrichments/${enrichment.id}/raw`)
  assert.equal(raw.status, 200)
  assert.match(String(raw.body), /A known server of a botnet/)
  const [call] = corvus.source.callsTo('/complete')
  assert.equal(call?.headers.authorization, 'Bearer key-of-complete')

  assert.equal((await corvus.ask('GET', `observables/${observable.id}`)).meta.maliciousness, 'high')
  const links = await corvus.ask('GET', `observable-links?filter[observable]=${observable.id}`)
  assert.equal(links.length, 1)
  assert.partialDeepStrictEqual(links[0], { relation: 'resolves-to', last_seen: null })
  const target = await corvus.ask('GET', `observables/${links[0].target.split('/').at(-1)}`)
  assert.equal(target.value, '198.51.100.9')
  const [entity] = await corvus.ask('GET', `entities?filter[observables]=${observable.id}`)
  assert.partialDeepStrictEqual(entity, { data: { title: 'Emotet', aliases: ['Heodo'] }, meta: { tlp_color: 'GREEN' } })
  assert.deepEqual(entity.sources, [enricher.source])
  const { rows } = await corvus.pool.query(
    `select distinct cause_kind, cause_depth from changes where resource = 'entities' and $1 = any(ids)`,
    [entity.id],
  )
  assert.deepEqual(rows, [{ cause_kind: 'enricher', cause_depth: 1 }])

  // What the source no longer says is taken back.
  corvus.source.answers('/complete', finds({ kind: 'tag', value: 'parked' }))
  await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [observable.id], force: true }))
  assert.equal((await corvus.ask('GET', `observables/${observable.id}`)).meta.maliciousness, 'unknown')
  assert.deepEqual(await corvus.ask('GET', `observable-links?filter[observable]=${observable.id}`), [])
  assert.deepEqual(await corvus.ask('GET', `entities?filter[observables]=${observable.id}`), [])
})

test('a result is used again while it is valid, also that there is none, and failures never are', async () => {
  const enricher = await corvus.enricher({ name: 'cached' })
  const { id } = await corvus.observable('cached.example')
  const body = { enrichers: [enricher.id], observables: [id] }
  assert.partialDeepStrictEqual((await corvus.ended(await corvus.run(body))).result, { empty: 1 })
  assert.partialDeepStrictEqual((await corvus.ended(await corvus.run(body))).result, { cached: 1, look_ups: 1 })
  assert.equal(corvus.source.callsTo('/cached').length, 1)
  corvus.source.answers('/cached', (response) => void response.writeHead(200).end('<html>Sign in</html>'))
  const failed = await corvus.ended(await corvus.run({ ...body, force: true }))
  assert.equal(failed.state, 'FAILURE')
  assert.match(failed.error_detail, /not JSON/)
  assert.partialDeepStrictEqual(await corvus.enrichmentOf(enricher.id, id), { state: 'FAILED', expires_at: null })
  corvus.source.answers('/cached', finds({ kind: 'verdict', maliciousness: 'safe' }))
  const again = await corvus.ended(await corvus.run(body))
  assert.partialDeepStrictEqual(again.result, { found: 1 })
})

test('the test of an enricher shows the masked exchange, and stores nothing', async () => {
  const enricher = await corvus.enricher({ name: 'tested', is_active: false, execution_cap: 2 })
  corvus.source.answers('/tested', (response) => {
    response
      .writeHead(200)
      .end(JSON.stringify({ findings: [{ kind: 'tag', value: 'key-of-tested' }], note: 'key-of-tested' }))
  })
  const tested = await corvus.ask('POST', `enrichers/${enricher.id}/test`, { type: 'domain', value: 'TESTED.example' })
  assert.partialDeepStrictEqual(tested, { state: 'FOUND', requests: [{ method: 'POST', status: 200 }] })
  assert.equal(corvus.source.callsTo('/tested')[0]?.value, 'tested.example')
  assert.doesNotMatch(JSON.stringify(tested), /key-of-tested/)
  assert.equal((await corvus.ask('GET', 'observables?filter[value]=tested.example')).length, 0)
  const { quota } = await corvus.ask('GET', `enrichers/${enricher.id}`)
  assert.partialDeepStrictEqual(quota, [{ seconds: null, calls: 2, used: 1, left: 1 }])
  corvus.source.answers('/tested', status(401))
  const refused = await corvus.ask('POST', `enrichers/${enricher.id}/test`, { type: 'domain', value: 'tested.example' })
  assert.partialDeepStrictEqual(refused, { state: 'FAILED' })
  const full = await corvus.ask('POST', `enrichers/${enricher.id}/test`, { type: 'domain', value: 'tested.example' })
  assert.match(full.reason, /limit of 2 calls a month/)
})

test('a forecast counts what a run would do, and by-query runs find the observables of entities', async () => {
  const enricher = await corvus.enricher({
    name: 'forecast',
    cost_per_call: 0.5,
    limits: [{ calls: 2, seconds: 86_400 }],
  })
  await corvus.ask('POST', 'exclusion-lists', { name: 'Ours', entries: ['ours.example'], types: [] })
  await corvus.ask('POST', 'entities', {
    data: { type: 'report', title: 'Forecast' },
    meta: { tags: ['forecast'] },
    observables: ['a.forecast.example', 'b.forecast.example', 'www.ours.example']
      .map((value) => ({ type: 'domain', value }))
      .concat({ type: 'hash-md5', value: 'd41d8cd98f00b204e9800998ecf8427e' }),
  })
  const body = { entities_query: 'tags:forecast', enrichers: [enricher.id] }
  const said = await corvus.ask('POST', 'enrichers/forecast', body)
  assert.partialDeepStrictEqual(said, {
    observables: 4,
    by_type: { domain: 3, 'hash-md5': 1 },
    enrichers: [{ supported: 3, cached: 0, skipped: 1, look_ups: 2, calls: 2, cost: 1, days: 0, fits: true }],
  })
  assert.deepEqual(await corvus.ask('POST', 'entities/by-query/enrich', { ...body, dry_run: true }), said)
  const { task_run } = await corvus.ask('POST', 'entities/by-query/enrich', body)
  const run = await corvus.ended(task_run.split('/').at(-1))
  assert.equal(run.state, 'WARNING')
  assert.partialDeepStrictEqual(run.result, { look_ups: 3, empty: 2, skipped: 1 })
  assert.match(run.result.summary, /exclusion list 'Ours'/)
  const refused = await corvus.call('POST', 'entities/by-query/enrich', { data: { ...body, enrichers: [] } })
  assert.equal(refused.status, 400)
})

test('deleting an enricher deletes what it found, and nothing else', async () => {
  const enricher = await corvus.enricher({ name: 'deleted' })
  corvus.source.answers(
    '/deleted',
    finds(
      { kind: 'verdict', maliciousness: 'high' },
      { kind: 'link', relation: 'related-to', observable: { type: 'domain', value: 'only.deleted.example' } },
      { kind: 'entity', type: 'malware', id: 'd', title: 'Deleted with it' },
    ),
  )
  const { id } = await corvus.observable('deleted.example')
  await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  assert.equal((await corvus.ask('GET', 'entities?query="Deleted with it"')).length, 1)
  await corvus.ask('DELETE', `enrichers/${enricher.id}`)
  assert.equal((await corvus.ask('GET', `observables/${id}`)).meta.maliciousness, 'unknown')
  assert.equal((await corvus.ask('GET', 'entities?query="Deleted with it"')).length, 0)
  assert.equal((await corvus.ask('GET', 'observables?filter[value]=only.deleted.example')).length, 0)
  for (const path of [enricher.source, enricher.task])
    assert.equal((await corvus.call('GET', new URL(path).pathname)).status, 404)
})

test('tables are loaded as bytes, as a form and in base64, and are read by key', async () => {
  const table = await corvus.ask('POST', 'enricher-tables', { name: 'ranks', format: 'csv', key_column: 'domain' })
  assert.partialDeepStrictEqual(table, { rows: 0, loaded_at: null })
  const load = async (payload: string, type: string) => {
    const answer = await corvus.app.inject({
      method: 'PUT',
      url: `/api/v2/enricher-tables/${table.id}/content`,
      headers: { authorization: `Bearer ${corvus.admin}`, 'content-type': type },
      payload,
    })
    return answer
  }
  assert.partialDeepStrictEqual((await load('rank,domain\n1,A.example\n2,b.example', 'text/csv')).json().data, {
    rows: 2,
  })
  const form =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="t.csv"\r\n\r\nrank,domain\n1,c.example\r\n--x--'
  assert.partialDeepStrictEqual((await load(form, 'multipart/form-data; boundary=x')).json().data, { rows: 1 })
  const data = Buffer.from('rank,domain\n1,a.example\n3,A.EXAMPLE\n').toString('base64')
  assert.partialDeepStrictEqual((await load(JSON.stringify({ data }), 'application/json')).json().data, { rows: 2 })
  const wrong = await load('a,b\n1,2', 'text/csv')
  assert.equal(wrong.statusCode, 400)
  assert.match(wrong.json()[0].detail, /key_column: there is no 'domain'/)
  const { rows } = await corvus.pool.query(
    `select key, content ->> 'rank' as rank from enricher_table_rows order by position`,
  )
  assert.deepEqual(rows, [
    { key: 'a.example', rank: '1' },
    { key: 'a.example', rank: '3' },
  ])
})

test('the queues show in the status and in the metrics', async () => {
  const { enrichers } = await corvus.ask('GET', 'system/status')
  assert.ok(enrichers.some(({ name }: { name: string }) => name === 'cached'))
})
