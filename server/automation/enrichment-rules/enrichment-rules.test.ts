import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { detailsOf } from '../../../test/set-up/enrichers.ts'
import { type EnrichmentRules, startEnrichmentRules } from '../../../test/set-up/enrichment-rules.ts'

let corvus: EnrichmentRules
before(async () => {
  corvus = await startEnrichmentRules()
})
after(() => corvus.stop())

const refused = async (data: unknown, path = 'enrichment-rules', method: 'POST' | 'PUT' | 'PATCH' = 'POST') => {
  const answer = await corvus.call(method, path, { data })
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  return detailsOf(answer)
}

const NONE = '00000000-0000-4000-8000-000000000000'

test('a rule is returned as it was sent, with its enrichers in their order and URLs of sources', async () => {
  const [first, second] = [await corvus.enricher(), await corvus.enricher()]
  const { source } = (await corvus.ask('GET', 'groups'))[0]
  const rule = await corvus.rule({
    criteria: [{ entity_type: 'indicator', source, tlp: 'AMBER_STRICT' }, { without_tlp: true }],
    enrichers: [second.id, first.id],
    stop_at: 'high',
    is_retroactive: true,
    execution_schedule: { cron: '0 3 * * *' },
    time_field: 'observed',
    time_period: 7,
  })
  assert.deepEqual(rule.criteria, [
    { entity_type: 'indicator', source, tlp: 'RED', without_tlp: false },
    { entity_type: null, source: null, tlp: null, without_tlp: true },
  ])
  const idsIn = (urls: string[]) => urls.map((url) => Number(url.split('/').at(-1)))
  assert.deepEqual(idsIn(rule.enrichers), [second.id, first.id])
  const patched = await corvus.ask('PATCH', `enrichment-rules/${rule.id}`, { enrichers: [first.id, second.id] })
  assert.deepEqual(idsIn(patched.enrichers), [first.id, second.id])
  assert.deepEqual(patched.criteria, rule.criteria)
  const task = await corvus.ask('GET', `tasks/${rule.task.split('/').at(-1)}`)
  assert.partialDeepStrictEqual(task, {
    type: 'enrichment-rule',
    is_owned: true,
    name: `Enrichment rule: ${rule.name}`,
  })
  assert.equal(task.execution_schedule.cron, '0 3 * * *')
  const again = await corvus.ask('PUT', 'enrichment-rules', [{ ...rule, enrichers: [second.id] }])
  assert.deepEqual(again[0].criteria, rule.criteria)
  assert.deepEqual(idsIn(again[0].enrichers), [second.id])
})

test('wrong input is refused with every field that is wrong', async () => {
  const details = await refused({
    name: 7,
    is_active: 'yes',
    criteria: [{ entity_type: 'nothing', tlp: 'PINK', without_tlp: 1, colour: 'x' }, 3],
    enrichers: ['x'],
    stop_at: 'unknown',
    time_field: 'never',
    time_period: 0,
    execution_schedule: {},
  })
  const expected = [
    'name',
    'is_active',
    'criteria[0].entity_type',
    'criteria[0].tlp',
    'criteria[0].without_tlp',
    'criteria[1]',
    'enrichers[0]',
    'stop_at',
    'time_field',
    'time_period',
    'execution_schedule',
  ]
  for (const field of expected)
    assert.ok(
      details.some((detail) => detail.includes(field)),
      `${field}: ${details}`,
    )
  assert.ok(details.some((detail) => detail.includes('colour')))
})

test('what does not fit together is refused, also in a list and in a change', async () => {
  const wrong = {
    name: 'wrong',
    is_active: true,
    execution_schedule: { interval: 3600 },
    time_period: 3,
    criteria: [{}, { source: NONE }],
  }
  const faults = [
    'execution_schedule: must be null',
    'time_field: is required',
    `criteria[1].source: there is no '${NONE}'`,
  ]
  const starts = (details: string[], prefix = '') =>
    assert.deepEqual(
      details.map((detail, i) => detail.startsWith(`${prefix}${faults[i]}`)),
      [true, true, true],
      details.join('\n'),
    )
  starts(await refused(wrong))
  starts(await refused([{ name: 'right', is_active: true }, wrong], 'enrichment-rules', 'PUT'), '[1].')
  assert.deepEqual(await corvus.ask('GET', 'enrichment-rules?filter[name]=right'), [])
  const rule = await corvus.rule({ is_retroactive: true, execution_schedule: { interval: 3600 } })
  const details = await refused({ is_retroactive: false }, `enrichment-rules/${rule.id}`, 'PATCH')
  assert.match(details.join(), /execution_schedule: must be null/)
  const unknown = await refused({ name: 'x', is_active: true, enrichers: [999_999] })
  assert.match(unknown.join(), /enrichers: there is no '999999' in enrichers/)
})

test('a preview counts observables and look-ups for the period, stores nothing, and refuses wrong input', async () => {
  const enricher = await corvus.enricher({ cost_per_call: 0.5, execution_cap: 1 })
  const old = await corvus.entity(['old.example'])
  await corvus.pool.query(`update entities set created_at = now() - interval '10 days' where id = $1`, [old.id])
  await corvus.entity(['new-1.example', 'new-2.example'], { data: { type: 'tool', title: 'A tool' } })
  const preview = (more: object) =>
    corvus.ask('POST', 'enrichment-rules/preview', { enrichers: [enricher.id], ...more })
  const criteria = [{ entity_type: 'report' }, { entity_type: 'tool' }]
  const all = await preview({ criteria, name: 'A whole rule', is_active: true, stop_at: 'low' })
  assert.partialDeepStrictEqual(all, { observables: 3, by_type: { domain: 3 } })
  assert.partialDeepStrictEqual(all.enrichers[0], { look_ups: 3, cost: 1.5, fits: false })
  assert.equal((await preview({ criteria, time_field: 'ingestion', time_period: 5 })).observables, 2)
  assert.equal((await preview({ criteria, enrichers: [] })).observables, 3)
  const details = await refused({ enrichers: [999_999], criteria: [{ source: NONE }] }, 'enrichment-rules/preview')
  assert.equal(details.length, 2)
  const times = await refused({ enrichers: [], time_period: 3, stop_at: 'x' }, 'enrichment-rules/preview')
  assert.match(times.join(), /stop_at/)
  const { rows } = await corvus.pool.query('select from enrichment_requests')
  assert.equal(rows.length, 0)
})

test('a rule whose source was deleted matches nothing through it and says so', async () => {
  const enricher = await corvus.enricher()
  const group = await corvus.ask('POST', 'groups', { name: 'Short-lived' })
  const rule = await corvus.rule({ criteria: [{ source: group.source }], enrichers: [enricher.id] })
  assert.equal((await corvus.call('DELETE', `groups/${group.id}`)).status, 204)
  assert.match((await corvus.readRule(rule.id)).problem, /a source that was deleted, and match nothing/)
  await corvus.entity(['orphan.example'])
  await corvus.follow()
  assert.deepEqual(await corvus.queued(enricher.id), [])
})

test('deleting a rule deletes its task; the task cannot be changed otherwise', async () => {
  const rule = await corvus.rule({})
  const task = `tasks/${rule.task.split('/').at(-1)}`
  const answer = await corvus.call('DELETE', task)
  assert.equal(answer.status, 409)
  assert.match(detailsOf(answer).join(), /enrichment-rules/)
  assert.equal((await corvus.call('DELETE', `enrichment-rules/${rule.id}`)).status, 204)
  assert.equal((await corvus.call('GET', task)).status, 404)
})
