import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { status } from '../../../test/set-up/enrichers.ts'
import { type EnrichmentRules, startEnrichmentRules } from '../../../test/set-up/enrichment-rules.ts'
import { until } from '../../../test/until.ts'

let corvus: EnrichmentRules
before(async () => {
  corvus = await startEnrichmentRules()
  await corvus.startProcess()
})
after(() => corvus.stop())

const start = async (rule: { task: string }): Promise<string> =>
  (await corvus.ask('POST', 'tasks/runs', { task: rule.task })).id

const run = async (rule: { task: string }) => corvus.ended(await start(rule))

test('a run looks up the data of its period, by the time that the rule names', async () => {
  const ages = { ingestion: 'created_at', start: 'threat_start', observed: 'observed' }
  for (const [field, column] of Object.entries(ages)) {
    const enricher = await corvus.enricher({ name: `by_${field}` })
    const [fresh, stale] = [`fresh-${field}.example`, `stale-${field}.example`]
    const criteria = [{ entity_type: field === 'start' ? 'malware' : field === 'observed' ? 'tool' : 'report' }]
    const entity = { data: { type: criteria[0]?.entity_type, title: field } }
    await corvus.entity([fresh], entity)
    const old = await corvus.entity([stale], entity)
    await corvus.pool.query(`update entities set ${column} = now() - interval '31 days' where id = $1`, [old.id])
    const rule = await corvus.rule({
      criteria,
      enrichers: [enricher.id],
      is_retroactive: true,
      time_field: field,
      time_period: 30,
    })
    const within = await run(rule)
    assert.partialDeepStrictEqual(within, { state: 'SUCCESS', result: { look_ups: 1, empty: 1 } })
    const called = () => corvus.source.callsTo(`/by_${field}`).map(({ value }) => value)
    assert.deepEqual(called(), [fresh])
    // Without a period, everything; what has a valid result is not looked up again.
    await corvus.ask('PATCH', `enrichment-rules/${rule.id}`, { time_period: null })
    assert.partialDeepStrictEqual((await run(rule)).result, { look_ups: 2, empty: 1, cached: 1 })
    assert.deepEqual(called(), [fresh, stale])
    assert.equal((await corvus.readRule(rule.id)).status, 'SUCCESS')
    assert.equal((await corvus.readRule(rule.id)).enqueued_count, 2)
  }
})

test('at the cap a run ends CAP_REACHED with counts, and failures make it WARNING or FAILURE', async () => {
  await corvus.entity(['cap-1.example', 'cap-2.example', 'cap-3.example'], { data: { type: 'campaign', title: 'Cap' } })
  const rule = async (more: Record<string, unknown>) =>
    corvus.rule({
      criteria: [{ entity_type: 'campaign' }],
      enrichers: [(await corvus.enricher(more)).id],
      is_retroactive: true,
    })
  const capped = await run(await rule({ execution_cap: 1, concurrency: 1 }))
  assert.partialDeepStrictEqual(capped, { state: 'CAP_REACHED', result: { look_ups: 3, empty: 1, not_done: 2 } })
  corvus.source.answers('/refusing', status(401))
  const refused = await run(await rule({ name: 'refusing' }))
  assert.equal(refused.state, 'FAILURE')
  assert.match(refused.error_detail, /suspended/)
  const skipped = await run(await rule({ name: 'strict', supported_observable_types: ['domain'], max_tlp: 'NONE' }))
  assert.equal(skipped.state, 'SUCCESS')
})

test('revoking a run withdraws its look-ups, and deleting or deactivating a rule stops its run', async () => {
  await corvus.entity(['wait-1.example', 'wait-2.example'], { data: { type: 'incident', title: 'Wait' } })
  const waiting = async (more: object = {}) => {
    const enricher = await corvus.enricher()
    await corvus.pool.query(`update enrichers set waits_until = now() + interval '10 minutes' where id = $1`, [
      enricher.id,
    ])
    const rule = await corvus.rule({
      criteria: [{ entity_type: 'incident' }],
      enrichers: [enricher.id],
      is_retroactive: true,
      ...more,
    })
    const id = await start(rule)
    const isWaiting = async () => (await corvus.queued(enricher.id)).length === 2
    await until(isWaiting, 'not queued')
    const isEmpty = () => until(async () => (await corvus.queued(enricher.id)).length === 0, 'not withdrawn')
    return { rule, id, isEmpty }
  }
  const revoked = await waiting()
  assert.equal((await corvus.call('DELETE', `tasks/runs/${revoked.id}`)).status, 204)
  await revoked.isEmpty()
  assert.equal((await corvus.readRun(revoked.id)).state, 'REVOKED')
  const inactive = await waiting({ stop_at: 'low' })
  await corvus.ask('PATCH', `enrichment-rules/${inactive.rule.id}`, { is_active: false })
  await inactive.isEmpty()
  assert.equal((await corvus.readRun(inactive.id)).state, 'REVOKED')
  await until(async () => (await corvus.chains(inactive.rule.id)) === 0, 'still asked in turn')
  const deleted = await waiting({ stop_at: 'low' })
  assert.equal((await corvus.call('DELETE', `enrichment-rules/${deleted.rule.id}`)).status, 204)
  await deleted.isEmpty()
})

test('a run that cannot look anything up says why', async () => {
  const enricher = await corvus.enricher({ is_active: false })
  const plain = { enrichers: [enricher.id], is_retroactive: true }
  const reasonOf = async (more: object, token?: string) => {
    const ended = await run(await corvus.rule({ ...plain, ...more }, token))
    assert.equal(ended.state, 'FAILURE')
    return ended.error_detail
  }
  assert.match(await reasonOf({}), /no active enricher/)
  assert.match(await reasonOf({ is_retroactive: false }), /for new data only\. Set is_retroactive/)
  const active = { enrichers: [(await corvus.enricher()).id] }
  const token = await corvus.tokenFor(['modify enrichment-rules', 'read entities'])
  assert.match(await reasonOf(active, token), /Missing permissions: \[modify enrichments, read extracts\]/)
})

test('a rule with a schedule runs without being asked', async () => {
  const enricher = await corvus.enricher()
  const rule = await corvus.rule({
    criteria: [{ entity_type: 'ttp' }],
    enrichers: [enricher.id],
    is_retroactive: true,
    execution_schedule: { interval: 3600 },
  })
  const task = rule.task.split('/').at(-1)
  await corvus.pool.query('update tasks set next_run_at = now() where id = $1', [task])
  await until(async () => (await corvus.readRule(rule.id)).status === 'SUCCESS', 'not run')
})
