import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  ask,
  blobsOf,
  bundle,
  corvus,
  detailsOf,
  endOf,
  indicator,
  makeFeed,
  publisherUrl,
  relationship,
  runOf,
  served,
} from '../../../../test/set-up/incoming-feeds.ts'

/** Everything that is stored of intelligence, feeds and files. */
async function stored() {
  const tables = [
    'entities',
    'relationships',
    'observables',
    'observable_sources',
    'files',
    'incoming_blobs',
    'sources',
    'taxonomies',
  ]
  const { rows } = await corvus.pool.query(
    `select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')},
      (select count(*) from changes where resource <> 'task_runs') as changes,
      (select json_agg(f order by id) from incoming_feeds as f) as feeds`,
  )
  return rows[0]
}

async function reportOf(path: string, body?: unknown) {
  const before = await stored()
  const { task_run, report } = await ask('POST', path, body)
  const run = await endOf(task_run)
  assert.deepEqual(await stored(), before, 'a test stores nothing')
  return { run, report: await ask('GET', report), url: report }
}

test('a trial reports exactly what a run would import, and stores nothing', async () => {
  const known = indicator('Tested and known')
  await ask('PUT', 'entities', [{ data: { type: 'indicator', title: 'By people', id: known.id } }])
  const fresh = indicator('Tested and new')
  const odd = { type: 'indicator', id: 'indicator--odd', spec_version: '2.1' }
  served.set('/tested', { content: bundle(known, fresh, relationship(fresh.id, known.id), odd) })
  const feed = await makeFeed('/tested')
  const { run, report } = await reportOf(`incoming-feeds/${feed.id}/test`)
  assert.equal(run.state, 'WARNING', run.error_detail)
  assert.deepEqual([report.is_whole, report.bounds, report.fault], [true, [], null])
  assert.partialDeepStrictEqual(report.pieces, [{ format: 'stix-2', objects: 4, is_known: false, reason: null }])
  const { counts } = report
  const entities = new Map(
    report.entities.map(({ title, outcome }: { title: string; outcome: string }) => [title, outcome]),
  )
  assert.deepEqual(
    entities,
    new Map([
      ['Tested and known', 'unchanged'],
      ['Tested and new', 'created'],
    ]),
  )
  assert.equal(report.losses.length, 1)
  assert.ok(
    report.observables.some(
      ({ value, is_new }: { value: string; is_new: boolean }) => is_new && value.includes('tested-and-new'),
    ),
  )
  const real = await runOf(feed)
  assert.deepEqual(
    { entities: real.result.entities, relationships: real.result.relationships, parts: real.result.parts },
    { entities: counts.entities, relationships: counts.relationships, parts: counts.parts },
  )
  const after = await reportOf(`incoming-feeds/${feed.id}/test`)
  assert.deepEqual(after.report.pieces, [])
  const whole = await reportOf(`incoming-feeds/${feed.id}/test?from_start=true`)
  assert.deepEqual(whole.report.counts.entities, { unchanged: 2 })
})

test('a trial reports what each list excludes', async () => {
  const host = `${randomUUID()}.example`
  const list = await ask('POST', 'exclusion-lists', { name: `List ${randomUUID()}`, entries: [host] })
  served.set('/text', {
    content: `Seen: login.${host}, also evil-${host} and 203.0.113.9.`,
    headers: { 'content-type': 'text/plain' },
  })
  const { report } = await reportOf(`incoming-feeds/${(await makeFeed('/text')).id}/test`)
  assert.deepEqual(report.excluded, [
    { list: list.name, count: 1, observables: [{ type: 'domain', value: `login.${host}` }] },
  ])
  await ask('DELETE', `exclusion-lists/${list.id}`)
})

test('a definition that is not stored can be tried, and its secrets are not exposed', async () => {
  const token = `secret-${randomUUID()}`
  served.set('/unstored', { content: bundle(indicator('Never stored')) })
  const definition = {
    transport_type: 'http-download',
    transport_configuration: { url: `${publisherUrl}/unstored`, token },
  }
  const { run, report, url } = await reportOf('incoming-feeds/test', { data: definition })
  assert.deepEqual(report.counts.entities, { created: 1 })
  assert.equal(report.incoming_feed, null)
  assert.ok(!JSON.stringify([run, report]).includes(token))
  const { rows } = await corvus.pool.query('select parameters from task_runs where id = $1', [run.id])
  assert.ok(!JSON.stringify(rows).includes(token))
  const other = await corvus.tokenFor(['modify incoming-feeds', 'modify tasks', 'read tasks'])
  assert.equal((await corvus.call('GET', url.replace(/^.*\/api/, '/api'), undefined, other)).status, 404)
  // The parameters of a run are useless to another user.
  const again = await corvus.call('POST', 'tasks/runs', { task: run.task, parameters: run.parameters }, other)
  assert.equal((await endOf(`tasks/runs/${again.body.data.id}`)).state, 'FAILURE')
  const bad = await corvus.call('POST', 'incoming-feeds/test', {
    data: { transport_type: 'http-download', transport_configuration: {} },
  })
  assert.deepEqual(detailsOf(bad), ['data.transport_configuration.url: is required'])
})

test('a trial of a stored feed can override its fields', async () => {
  served.set('/other', { content: bundle(indicator('At another address')) })
  const feed = await makeFeed('/nothing-there')
  const first = await reportOf(`incoming-feeds/${feed.id}/test`)
  assert.equal(first.report.fault.kind, 'not-found')
  const change = { transport_configuration: { url: `${publisherUrl}/other` }, tags: ['x'] }
  const { report } = await reportOf(`incoming-feeds/${feed.id}/test`, { data: change })
  assert.deepEqual(report.counts.entities, { created: 1 }, JSON.stringify(report))
  assert.deepEqual(await blobsOf(feed), [])
})

test('a trial is bounded, and reports which bound was reached', async () => {
  const uuids = Array.from({ length: 25 }, () => randomUUID())
  const events = uuids.map((uuid, i) => [uuid, { timestamp: String(1_700_000_000 + i), info: `Event ${i}` }])
  served.set('/misp/manifest.json', { content: JSON.stringify(Object.fromEntries(events)) })
  for (const [i, uuid] of uuids.entries()) {
    const Event = { uuid, info: `Event ${i}`, date: '2024-01-01', timestamp: String(1_700_000_000 + i), Attribute: [] }
    served.set(`/misp/${uuid}.json`, { content: JSON.stringify({ Event }) })
  }
  const feed = await makeFeed('/misp', { transport_type: 'misp-feed' })
  const { report } = await reportOf(`incoming-feeds/${feed.id}/test`)
  assert.equal(report.pieces.length, 20)
  assert.deepEqual([report.is_whole, report.bounds], [false, ['only the first 20 pieces were fetched']])
})

test('a trial reveals nothing that its user does not see: such objects look new', async () => {
  const hidden = await corvus.blindGroup('Elsewhere')
  const [known, fresh] = [indicator('Known elsewhere'), indicator('Known nowhere')]
  const link = relationship(fresh.id, known.id)
  const entity = { data: { type: 'indicator', title: 'Theirs', id: known.id }, sources: [hidden.source] }
  await ask('PUT', 'entities', [{ ...entity, observables: [{ type: 'domain', value: 'elsewhere.example' }] }])
  const pattern = "[domain-name:value = 'elsewhere.example']"
  served.set('/elsewhere', { content: bundle({ ...known, pattern }, fresh, link) })
  const feed = await makeFeed('/elsewhere')
  const { report } = await reportOf(`incoming-feeds/${feed.id}/test`)
  assert.deepEqual(
    report.entities.map(({ outcome, notes }: { outcome: string; notes: string[] }) => [outcome, notes]),
    [
      ['created', []],
      ['created', []],
    ],
  )
  assert.deepEqual(report.losses, [])
  assert.deepEqual(report.counts, { entities: { created: 2 }, relationships: { created: 1 } })
  const own = report.observables.filter(({ value }: { value: string }) => value === 'elsewhere.example')
  assert.deepEqual(
    own.map(({ is_new }: { is_new: boolean }) => is_new),
    [true],
  )
})

test('a trial reveals nothing of the feed that is above the colour its user may see', async () => {
  served.set('/above', {
    content: bundle({ ...indicator('Above the colour'), pattern: "[domain-name:value = 'above.example']" }),
  })
  const feed = await makeFeed('/above', { tlp_color_override: 'RED' })
  await runOf(feed)
  const observables = [{ type: 'domain', value: 'above.example' }]
  served.set('/alone', { content: JSON.stringify({ content_type: 'urn:eclecticiq.com:json:3.2', observables }) })
  const data = { transport_configuration: { url: `${publisherUrl}/alone` } }
  const [group] = await ask('GET', 'groups?filter[name]=Default')
  const countsFor = async (colour: string) => {
    const others = group.sources.filter((each: string) => !each.startsWith(feed.source))
    const sources = [...others, `${feed.source}?allowed_tlp=${colour}`]
    await ask('PATCH', `groups/${group.id}`, { data: { sources } })
    return (await reportOf(`incoming-feeds/${feed.id}/test`, { data })).report.counts
  }
  assert.deepEqual(await countsFor('RED'), { observables: { updated: 1 } })
  assert.deepEqual(await countsFor('GREEN'), { observables: { created: 1 } })
})
