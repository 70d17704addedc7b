import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { finds, status } from '../../../test/set-up/enrichers.ts'
import { type EnrichmentRules, startEnrichmentRules } from '../../../test/set-up/enrichment-rules.ts'
import { until } from '../../../test/until.ts'
import { advanceChains } from './advance-chains.ts'

let corvus: EnrichmentRules
before(async () => {
  corvus = await startEnrichmentRules()
  await corvus.startProcess()
})
after(() => corvus.stop())

type Level = 'safe' | 'low' | 'medium' | 'high'

let counter = 0

/** An enricher that gives a verdict, none, or fails. */
async function enricher(verdict: Level | 'none' | 'broken', more: Record<string, unknown> = {}) {
  const name = `${verdict}_${++counter}`
  if (verdict === 'broken') corvus.source.answers(`/${name}`, (response) => void response.writeHead(200).end('<html>'))
  else if (verdict !== 'none') corvus.source.answers(`/${name}`, finds({ kind: 'verdict', maliciousness: verdict }))
  return corvus.enricher({ name, ...more })
}

/** The enrichers that were asked about a value, in order. */
const asked = (value: string): string[] =>
  corvus.source.calls.filter((call) => call.value === value).map(({ path }) => path.slice(1))

/** Processes ask every two seconds; this one does so more often. */
const isOver = (rule: { id: number }) =>
  until(async () => {
    await advanceChains(corvus.server)
    return (await corvus.chains(rule.id)) === 0
  }, 'enrichers are still asked in turn')

/** Asks the enrichers of a new rule about a new value, and returns their names in the order in which they were asked. */
async function askInTurn(enrichers: readonly { id: number }[], stop_at: Level): Promise<string[]> {
  const value = `turn-${++counter}.example`
  const rule = await corvus.rule({ enrichers: enrichers.map(({ id }) => id), stop_at })
  await corvus.entity([value])
  await corvus.follow()
  await isOver(rule)
  assert.equal((await corvus.readRule(rule.id)).enqueued_count, asked(value).length)
  assert.equal((await corvus.call('DELETE', `enrichment-rules/${rule.id}`)).status, 204)
  return asked(value)
}

test('enrichers are asked from the cheapest, then in the order of the rule, until a verdict is strong enough', async () => {
  const [dear, cheap, second, free] = [
    await enricher('high', { cost_per_call: 5 }),
    await enricher('low', { cost_per_call: 0.1 }),
    await enricher('medium', { cost_per_call: 0.1 }),
    await enricher('safe'),
  ]
  const all = [dear, second, cheap, free]
  const names = (...list: { name: string }[]) => list.map(({ name }) => name)
  assert.deepEqual(await askInTurn(all, 'high'), names(free, second, cheap, dear))
  assert.deepEqual(await askInTurn(all, 'medium'), names(free, second))
  assert.deepEqual(await askInTurn([dear, cheap, second, free], 'low'), names(free, cheap))
  assert.deepEqual(await askInTurn(all, 'safe'), names(free))
})

test('a look-up that failed, found nothing or was skipped is no verdict: the next enricher is asked', async () => {
  const [broken, none, skipping, last] = [
    await enricher('broken'),
    await enricher('none'),
    await enricher('high', { max_tlp: 'NONE', supported_observable_types: ['ipv4'] }),
    await enricher('safe'),
  ]
  assert.deepEqual(await askInTurn([broken, none, skipping, last], 'safe'), [broken.name, none.name, last.name])
})

test('an enricher that cannot go on comes last and is not waited for, and nothing is lost if none can', async () => {
  const [suspended, capped, inactive, refusing, last] = [
    await enricher('high'),
    await enricher('high'),
    await enricher('high'),
    await enricher('none'),
    await enricher('low'),
  ]
  corvus.source.answers(`/${refusing.name}`, status(401))
  await corvus.pool.query('update enrichers set suspended_at = now() where id = $1', [suspended.id])
  await corvus.pool.query(`update enrichers set waits_until = now() + interval '2 days' where id = $1`, [capped.id])
  await corvus.ask('PATCH', `enrichers/${inactive.id}`, { is_active: false })
  const all = [suspended, capped, inactive, refusing, last]
  assert.deepEqual(await askInTurn(all, 'low'), [refusing.name, last.name])
  assert.deepEqual(await corvus.queued(capped.id), [])
  const rule = await corvus.rule({ enrichers: [suspended.id, capped.id, inactive.id], stop_at: 'low' })
  await corvus.entity(['none-can.example'])
  await corvus.follow()
  await isOver(rule)
  for (const { id } of [suspended, capped]) assert.deepEqual(await corvus.queued(id), ['none-can.example'])
  assert.deepEqual(await corvus.queued(inactive.id), [])
  assert.equal((await corvus.call('DELETE', `enrichment-rules/${rule.id}`)).status, 204)
})

test('a valid result counts as a verdict without a call, one that has expired does not', async () => {
  const [first, second] = [await enricher('medium'), await enricher('high')]
  const value = 'cached-verdict.example'
  await corvus.entity([value])
  const observable = (await corvus.ask('GET', `observables?filter[value]=${value}`))[0]
  await corvus.ended(await corvus.run({ enrichers: [first.id], observables: [observable.id] }))
  const rule = await corvus.rule({ enrichers: [first.id, second.id], stop_at: 'medium', is_retroactive: true })
  const rerun = async () => {
    await corvus.entity([value])
    await corvus.follow()
    await isOver(rule)
  }
  await rerun()
  assert.deepEqual(asked(value), [first.name])
  corvus.source.answers(`/${first.name}`, status(404))
  await corvus.pool.query('update enrichments set expires_at = now() where enricher = $1', [first.id])
  await rerun()
  assert.deepEqual(asked(value), [first.name, first.name, second.name])
  assert.equal((await corvus.call('DELETE', `enrichment-rules/${rule.id}`)).status, 204)
})

test('a run waits until all of its observables were asked about, and counts their look-ups', async () => {
  const [first, second] = [await enricher('low'), await enricher('high', { cost_per_call: 1 })]
  const entity = { data: { type: 'location', title: 'A place' } }
  await corvus.entity(['run-1.example', 'run-2.example'], entity)
  const rule = await corvus.rule({
    criteria: [{ entity_type: 'location' }],
    enrichers: [first.id, second.id],
    stop_at: 'medium',
    is_retroactive: true,
  })
  const run = async () => {
    const { id } = await corvus.ask('POST', 'tasks/runs', { task: rule.task })
    await until(async () => (await corvus.readRun(id)).log.length > 0, 'not started')
    await isOver(rule)
    return corvus.ended(id)
  }
  assert.partialDeepStrictEqual(await run(), { state: 'SUCCESS', result: { look_ups: 4, found: 4 } })
  assert.partialDeepStrictEqual((await run()).result, { look_ups: 4, cached: 4 })
  await corvus.pool.query(`update enrichers set suspended_at = now(), suspended_reason = 'x' where id = $1`, [
    second.id,
  ])
  await corvus.pool.query('update enrichments set expires_at = now() where enricher = $1', [second.id])
  const partial = await run()
  assert.partialDeepStrictEqual(partial, { state: 'WARNING', result: { look_ups: 4, cached: 2, not_done: 2 } })
})

test('if its owner loses a permission, a run says what it did not do', async () => {
  const [first, second] = [await enricher('none'), await enricher('high', { cost_per_call: 1 })]
  await corvus.entity(['lost.example'], { data: { type: 'course-of-action', title: 'Lost' } })
  const token = await corvus.tokenFor([
    'modify enrichment-rules',
    'modify enrichments',
    'read entities',
    'read extracts',
  ])
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  corvus.source.answers(`/${first.name}`, async (response) => {
    await gate
    response.writeHead(404).end()
  })
  const rule = await corvus.rule(
    {
      criteria: [{ entity_type: 'course-of-action' }],
      enrichers: [first.id, second.id],
      stop_at: 'low',
      is_retroactive: true,
    },
    token,
  )
  const { id } = await corvus.ask('POST', 'tasks/runs', { task: rule.task })
  await until(() => asked('lost.example').length === 1, 'not asked')
  await corvus.pool.query(
    `delete from role_permissions as l using role_users as u, enrichment_rules as r, permissions as p
    where l.source = u.source and u.target = r.owner and r.id = $1 and p.id = l.target and p.name = 'modify enrichments'`,
    [rule.id],
  )
  open()
  const run = await corvus.ended(id)
  assert.partialDeepStrictEqual(run, { state: 'WARNING', result: { look_ups: 2, empty: 1, not_done: 1 } })
  assert.match(run.result.summary, /may no longer look observables up/)
  assert.deepEqual(asked('lost.example'), [first.name])
})

test('a rule that is deactivated or deleted asks no further', async () => {
  const [first, second] = [await enricher('none'), await enricher('high', { cost_per_call: 1 })]
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  corvus.source.answers(`/${first.name}`, async (response) => {
    await gate
    response.writeHead(404).end()
  })
  // What was written before has no place among the look-ups that are held up.
  await corvus.follow()
  const rules = [1, 2].map(() => corvus.rule({ enrichers: [first.id, second.id], stop_at: 'low' }))
  const [kept, deleted] = await Promise.all(rules)
  await corvus.entity(['ended.example'])
  await corvus.follow()
  await until(() => asked('ended.example').length === 1, 'not asked')
  await corvus.ask('PATCH', `enrichment-rules/${kept.id}`, { is_active: false })
  assert.equal((await corvus.call('DELETE', `enrichment-rules/${deleted.id}`)).status, 204)
  open()
  await isOver(kept)
  await until(async () => (await corvus.queued(first.id)).length === 0, 'not answered')
  await advanceChains(corvus.server)
  assert.deepEqual(asked('ended.example'), [first.name])
})

test('several processes ask each enricher once, and another one continues when a process ends between two steps', async () => {
  const other = await startEnrichmentRules()
  try {
    const path = (name: string) => other.source.callsTo(`/${name}`).map(({ value }) => value)
    const [first, second] = [
      await other.enricher({ name: 'first' }),
      await other.enricher({ name: 'second', cost_per_call: 1 }),
    ]
    const rule = await other.rule({ enrichers: [second.id, first.id], stop_at: 'low' })
    const values = Array.from({ length: 30 }, (_, i) => `step-${i}.example`)
    await other.entity(values)
    await other.follow()
    assert.equal(await other.chains(rule.id), 30)
    // No look-up takes place yet: all processes take the first step at the same time, and only it.
    await Promise.all([1, 2, 3].map(() => advanceChains(other.server)))
    assert.equal((await other.queued(first.id)).length, 30)
    assert.deepEqual(await other.queued(second.id), [])
    const process = await other.startProcess()
    await until(() => path('first').length > 5, 'not asked')
    await process.stop()
    await other.startProcess()
    await other.startProcess()
    await until(async () => (await other.chains(rule.id)) === 0, 'enrichers are still asked in turn')
    assert.deepEqual(path('first').sort(), [...values].sort())
    assert.deepEqual(path('second').sort(), [...values].sort())
    assert.equal((await other.readRule(rule.id)).enqueued_count, 60)
  } finally {
    await other.stop()
  }
})
