import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Enrichers, finds, startEnrichers } from '../../../../test/set-up/enrichers.ts'
import { until } from '../../../../test/until.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
})
after(() => corvus.stop())

const PERMISSIONS = [
  'read entities',
  'modify entities',
  'read extracts',
  'modify extracts',
  'read enrichers',
  'read enrichments',
  'modify enrichments',
  'read tasks',
]

const entityWith = (values: readonly string[], tlp: string) => ({
  data: { type: 'report', title: `Report ${tlp}` },
  meta: { tlp_color: tlp },
  observables: values.map((value) => ({ type: 'domain', value })),
})

/** The observables with these values, which the administrator may not see. */
const idsOf = async (values: readonly string[]): Promise<number[]> =>
  (await corvus.pool.query('select id from observables where value = any($1) order by id', [values])).rows.map(
    ({ id }) => id,
  )

test('nothing above the colour, on a list or invisible to who asks leaves the platform, whenever it became so', async () => {
  const person = await corvus.personIn('Analysts', PERMISSIONS, [])
  const other = await corvus.personIn('Others', PERMISSIONS, [])
  const enricher = await corvus.enricher({ name: 'taint', concurrency: 20 })
  const own = (values: readonly string[], tlp: string) =>
    corvus.ask('POST', 'entities', entityWith(values, tlp), person.token)
  await own(['green.taint.example', 'hidden.taint.example', 'listed-later.taint.example'], 'GREEN')
  const amber = await own(['raised.taint.example'], 'GREEN')
  await own(['red.taint.example', 'amber.taint.example'], 'RED')
  await own(['listed.taint.example'], 'WHITE')
  await corvus.ask('POST', 'entities', entityWith(['invisible.taint.example'], 'WHITE'), other.token)
  await corvus.ask('POST', 'exclusion-lists', { name: 'Before', entries: ['listed.taint.example'], types: [] })
  const names = ['green', 'hidden', 'listed-later', 'raised', 'red', 'amber', 'listed', 'invisible']
  const observables = await idsOf(names.map((name) => `${name}.taint.example`))
  assert.equal(observables.length, names.length)
  await corvus.pool.query(`update enrichers set waits_until = now() + interval '10 minutes' where id = $1`, [
    enricher.id,
  ])
  const process = await corvus.startProcess()
  const run = await corvus.run({ enrichers: [enricher.id], observables }, person.token)
  await until(async () => (await corvus.readRun(run)).log.length > 0, 'not queued')

  // Everything that changes after it was queued counts.
  await corvus.ask('POST', 'exclusion-lists', { name: 'Later', entries: ['listed-later.taint.example'], types: [] })
  await corvus.ask('PATCH', `entities/${amber.id}`, { meta: { tlp_color: 'RED' } }, person.token)
  const [hidden] = await idsOf(['hidden.taint.example'])
  await corvus.pool.query('delete from entity_observables where target = $1', [hidden])
  await corvus.pool.query('update enrichers set waits_until = null where id = $1', [enricher.id])

  const ended = await corvus.ended(run)
  await process.stop()
  assert.equal(ended.state, 'WARNING', JSON.stringify(ended.result))
  assert.deepEqual(
    corvus.source.calls.map(({ value }) => value),
    ['green.taint.example'],
  )
  for (const { raw, path, headers } of corvus.source.calls) {
    const bytes = `${raw} ${path} ${JSON.stringify(headers)}`
    for (const name of names.filter((each) => each !== 'green')) assert.ok(!bytes.includes(`${name}.taint`), name)
  }
  assert.partialDeepStrictEqual(ended.result, { look_ups: 7, empty: 1, skipped: 6 })
})

test('a finding is never below the colour at which it was asked, and shows only to those who see its source', async () => {
  const asker = await corvus.personIn('Askers', PERMISSIONS, [])
  const enricher = await corvus.enricher({ name: 'coloured', max_tlp: null })
  const sourceId = enricher.source.split('/').at(-1)
  const groups = [
    [`${sourceId}?allowed_tlp=GREEN`, 'green'],
    [`${sourceId}?allowed_tlp=AMBER`, 'amber'],
  ] as const
  const readers = new Map<string, string>()
  for (const [allowed, name] of groups) {
    const asked = `${asker.group.source.split('/').at(-1)}?allowed_tlp=RED`
    readers.set(name, (await corvus.personIn(`Readers ${name}`, PERMISSIONS, [asked, allowed])).token)
  }
  const blind = await corvus.personIn('Blind', PERMISSIONS, [`${asker.group.source.split('/').at(-1)}?allowed_tlp=RED`])
  await corvus.ask('POST', 'entities', entityWith(['coloured.example'], 'AMBER'), asker.token)
  const [id = 0] = await idsOf(['coloured.example'])
  const body = { enrichers: [enricher.id], observables: [id] }
  corvus.source.answers(
    '/coloured',
    finds(
      { kind: 'verdict', maliciousness: 'high' },
      { kind: 'link', relation: 'resolves-to', observable: { type: 'domain', value: 'target.coloured.example' } },
      { kind: 'entity', type: 'malware', id: 'c', title: 'Coloured' },
    ),
  )
  const process = await corvus.startProcess()
  const run = await corvus.ended(await corvus.run(body, asker.token))
  await process.stop()
  assert.equal(run.state, 'SUCCESS')
  const shownTo = async (token: string) => ({
    verdict: (await corvus.ask('GET', `observables/${id}`, undefined, token)).meta.maliciousness,
    enrichments: (await corvus.ask('GET', `enrichments?filter[observable]=${id}`, undefined, token)).length,
    links: (await corvus.ask('GET', `observable-links?filter[observable]=${id}`, undefined, token)).length,
    targets: (await corvus.ask('GET', 'observables?filter[value]=target.coloured.example', undefined, token)).length,
    entities: (await corvus.ask('GET', 'entities?query=Coloured', undefined, token)).length,
    counted: (await corvus.ask('GET', `enrichers/${enricher.id}`, undefined, token)).found_count,
    cached: (await corvus.ask('POST', 'enrichers/forecast', body, token)).enrichers[0].cached,
  })
  const nothing = { verdict: 'unknown', enrichments: 0, links: 0, targets: 0, entities: 0, counted: 0, cached: 0 }
  const all = { verdict: 'high', enrichments: 1, links: 1, targets: 1, entities: 1, counted: 1, cached: 1 }
  assert.deepEqual(await shownTo(blind.token), nothing)
  assert.deepEqual(await shownTo(readers.get('green') ?? ''), nothing)
  assert.deepEqual(await shownTo(readers.get('amber') ?? ''), all)
  const enrichment = await corvus.enrichmentOf(enricher.id, id, readers.get('amber'))
  for (const path of [`enrichments/${enrichment.id}`, `enrichments/${enrichment.id}/raw`])
    assert.equal((await corvus.call('GET', path, undefined, blind.token)).status, 404)
})

test('looking up needs its permission, also while the source is called', async () => {
  const reader = await corvus.tokenFor(['read enrichers', 'read entities', 'read extracts'])
  const enricher = await corvus.enricher({ name: 'guarded' })
  const answer = await corvus.call(
    'POST',
    'enrichers/batch-run',
    { data: { enrichers: [enricher.id], observables: [1] } },
    reader,
  )
  assert.equal(answer.status, 403)
  const person = await corvus.personIn('Demoted', PERMISSIONS, [])
  const { id } = await corvus.observable('guarded.example', {}, person.token)
  await corvus.pool.query(`update enrichers set waits_until = now() + interval '10 minutes' where id = $1`, [
    enricher.id,
  ])
  const process = await corvus.startProcess()
  const run = await corvus.run({ enrichers: [enricher.id], observables: [id] }, person.token)
  await until(async () => (await corvus.readRun(run)).log.length > 0, 'not queued')
  await corvus.pool.query('update users set is_active = false where id = $1', [person.id])
  await corvus.pool.query('update enrichers set waits_until = null where id = $1', [enricher.id])
  const ended = await corvus.ended(run)
  await process.stop()
  assert.partialDeepStrictEqual(ended.result, { skipped: 1 })
  assert.equal(corvus.source.callsTo('/guarded').length, 0)
})
