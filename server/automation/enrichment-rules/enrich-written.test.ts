import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isCounted } from '../../../test/set-up/counting.ts'
import { finds } from '../../../test/set-up/enrichers.ts'
import { type EnrichmentRules, startEnrichmentRules } from '../../../test/set-up/enrichment-rules.ts'
import { until } from '../../../test/until.ts'

let corvus: EnrichmentRules
before(async () => {
  corvus = await startEnrichmentRules()
})
after(() => corvus.stop())

const remove = (rule: { id: number }) => corvus.call('DELETE', `enrichment-rules/${rule.id}`)

test('the observables of a new entity are queued with the enrichers of the rule, as far as these support their types', async () => {
  const [first, second] = [await corvus.enricher(), await corvus.enricher({ supported_observable_types: ['ipv4'] })]
  const rule = await corvus.rule({ enrichers: [first.id, second.id] })
  await corvus.entity(['one.example', 'two.example'], {
    observables: [
      { type: 'domain', value: 'one.example' },
      { type: 'ipv4', value: '8.8.8.8' },
      { type: 'hash-md5', value: 'd41d8cd98f00b204e9800998ecf8427e' },
    ],
  })
  await corvus.follow()
  assert.deepEqual(await corvus.queued(first.id), ['8.8.8.8', 'one.example'])
  assert.deepEqual(await corvus.queued(second.id), ['8.8.8.8'])
  const read = await corvus.readRule(rule.id)
  assert.equal(read.enqueued_count, 3)
  assert.ok(read.last_enqueued_at)
  assert.equal(read.problem, null)
  await remove(rule)
})

test('an observable is queued when it is added to an entity later, and when a source says something of it', async () => {
  const enricher = await corvus.enricher()
  const entity = await corvus.entity(['before.example'])
  await corvus.follow()
  const rule = await corvus.rule({ criteria: [{ entity_type: 'report' }], enrichers: [enricher.id] })
  await corvus.observable('added.example', { entities: [entity.id] })
  // It belongs to no entity.
  await corvus.observable('alone.example')
  await corvus.follow()
  assert.deepEqual(await corvus.queued(enricher.id), ['added.example'])
  // Its earlier entity matches, the one that it is added to does not.
  const tool = await corvus.entity([], { data: { type: 'tool', title: 'A tool' } })
  await corvus.ask('PATCH', `entities/${tool.id}`, { observables: [{ type: 'domain', value: 'before.example' }] })
  await corvus.follow()
  assert.deepEqual(await corvus.queued(enricher.id), ['added.example'])
  await corvus.ask('PATCH', `enrichment-rules/${rule.id}`, { criteria: [] })
  await corvus.observable('own.example')
  await corvus.follow()
  assert.deepEqual(await corvus.queued(enricher.id), ['added.example', 'own.example'])
  await remove(rule)
})

test('a change of an entity queues its observables unless they have a valid result', async () => {
  const enricher = await corvus.enricher({ name: 'cached' })
  const process = await corvus.startProcess()
  const rule = await corvus.rule({ enrichers: [enricher.id] })
  const entity = await corvus.entity(['cached.example'])
  await corvus.follow()
  await until(async () => (await corvus.queued(enricher.id)).length === 0, 'not looked up')
  await process.stop()
  const change = async (title: string) => {
    await corvus.ask('PATCH', `entities/${entity.id}`, { data: { type: 'report', title } })
    await corvus.follow()
  }
  await change('Changed')
  assert.deepEqual(await corvus.queued(enricher.id), [])
  await corvus.pool.query('update enrichments set expires_at = now() where enricher = $1', [enricher.id])
  await change('Changed again')
  assert.deepEqual(await corvus.queued(enricher.id), ['cached.example'])
  assert.equal((await corvus.readRule(rule.id)).enqueued_count, 2)
  await remove(rule)
})

test('what an enricher finds is not looked up: a rule without criteria makes one call', async () => {
  const enricher = await corvus.enricher({ name: 'looping' })
  corvus.source.answers(
    '/looping',
    (response, call) =>
      void finds(
        { kind: 'verdict', maliciousness: 'high' },
        { kind: 'link', relation: 'resolves-to', observable: { type: 'domain', value: `x.${call.value}` } },
        { kind: 'entity', type: 'malware', id: call.value, title: `Family of ${call.value}` },
      )(response, call),
  )
  const process = await corvus.startProcess()
  const rule = await corvus.rule({ enrichers: [enricher.id] })
  await corvus.entity(['loop.example'])
  for (let i = 0; i < 4; i++) {
    await corvus.follow()
    await until(async () => (await corvus.queued(enricher.id)).length === 0, 'not looked up')
  }
  await process.stop()
  assert.deepEqual(
    corvus.source.callsTo('/looping').map(({ value }) => value),
    ['loop.example'],
  )
  const { rows } = await corvus.pool.query(`select from observables where value = 'x.loop.example'`)
  assert.equal(rows.length, 1)
  await remove(rule)
})

test('changes that automations cause each other are followed to a depth of three', async () => {
  const enricher = await corvus.enricher()
  const rule = await corvus.rule({ enrichers: [enricher.id] })
  for (const depth of [1, 2, 3, 4]) {
    const { id } = await corvus.entity([`depth-${depth}.example`])
    await corvus.pool.query(
      `update changes set cause_kind = 'rule', cause_id = '1', cause_depth = $2
      where xact = (select xact from changes where $1 = any(ids) order by id desc limit 1)`,
      [id, depth],
    )
  }
  await corvus.follow()
  assert.deepEqual(await corvus.queued(enricher.id), ['depth-1.example', 'depth-2.example'])
  const { rows } = await corvus.pool.query('select distinct depth from enrichment_requesters where enricher = $1', [
    enricher.id,
  ])
  assert.deepEqual(rows, [{ depth: 3 }])
  await remove(rule)
})

test('a rule looks up what its owner sees, and says which permissions the owner lacks', async () => {
  const hidden = await corvus.ask('POST', 'groups', { name: 'Hidden', users: [] })
  const all = ['modify enrichment-rules', 'modify enrichments', 'read entities', 'read extracts']
  const near = await corvus.personIn('Near', [...all, 'modify entities', 'modify extracts'], [])
  const [enricher, other] = [await corvus.enricher(), await corvus.enricher()]
  const own = await corvus.rule({ enrichers: [enricher.id] }, near.token)
  const unable = await corvus.rule(
    { enrichers: [other.id] },
    await corvus.tokenFor(all.filter((name) => name !== 'modify enrichments')),
  )
  const { id } = await corvus.ask('GET', 'users/self')
  await corvus.ask('PATCH', `groups/${hidden.id}`, { users: [id] })
  await corvus.entity(['unseen.example'], { sources: [hidden.source] })
  await corvus.entity(['seen.example'], {}, near.token)
  await corvus.follow()
  assert.deepEqual(await corvus.queued(enricher.id), ['seen.example'])
  assert.deepEqual(await corvus.queued(other.id), [])
  assert.equal((await corvus.readRule(own.id)).problem, null)
  assert.match((await corvus.readRule(unable.id)).problem, /who lacks: modify enrichments\. Save the rule again/)
  await corvus.ask('PATCH', `enrichment-rules/${unable.id}`, { description: 'Taken over' })
  assert.equal((await corvus.readRule(unable.id)).problem, null)
  await corvus.pool.query('update users set is_active = false where id = $1', [near.id])
  assert.match((await corvus.readRule(own.id)).problem, /that account does not exist or is inactive/)
  for (const rule of [own, unable]) await remove(rule)
})

test('an inactive enricher is left out, look-ups wait for a suspended one, and the rule says so', async () => {
  const [inactive, suspended, sound] = [
    await corvus.enricher({ name: 'inactive', is_active: false }),
    await corvus.enricher({ name: 'suspended' }),
    await corvus.enricher({ name: 'sound' }),
  ]
  await corvus.pool.query(`update enrichers set suspended_at = now(), suspended_reason = 'x' where id = $1`, [
    suspended.id,
  ])
  const rule = await corvus.rule({ enrichers: [inactive.id, suspended.id, sound.id] })
  await corvus.entity(['state.example'])
  await corvus.follow()
  assert.deepEqual(await corvus.queued(inactive.id), [])
  assert.deepEqual(await corvus.queued(suspended.id), ['state.example'])
  assert.deepEqual(await corvus.queued(sound.id), ['state.example'])
  const { problem } = await corvus.readRule(rule.id)
  assert.match(problem, /not active and are left out: 'inactive'\./)
  assert.match(problem, /suspended, and look-ups wait until they are resumed: 'suspended'\./)
  assert.match((await corvus.rule({ enrichers: [] })).problem, /has no enrichers/)
  await corvus.ask('PATCH', `enrichment-rules/${rule.id}`, { is_active: false })
  assert.equal((await corvus.readRule(rule.id)).problem, null)
  await corvus.entity(['later.example'])
  await corvus.follow()
  assert.deepEqual(await corvus.queued(sound.id), ['state.example'])
})

test('the number of statements does not depend on the number of rules and changes', async () => {
  const counted: string[] = []
  const watched = await startEnrichmentRules({ onStatement: (statement) => counted.push(statement) })
  try {
    const enrichers = [await watched.enricher(), await watched.enricher()]
    const measure = async (rules: number, entities: number, prefix: string) => {
      for (let i = 0; i < rules; i++) {
        const criteria = [{ entity_type: 'report' }, { tlp: i % 2 ? 'GREEN' : 'WHITE' }]
        const one = enrichers[i % 2]?.id
        await watched.rule({ enrichers: [one], criteria, stop_at: i % 3 === 2 ? 'low' : null })
      }
      for (let i = 0; i < entities; i++) await watched.entity([`${prefix}-${i}.example`])
      await watched.follow()
      counted.length = 0
      for (let i = 0; i < entities; i++) await watched.entity([`${prefix}-again-${i}.example`])
      const written = counted.length
      await watched.follow()
      const used = counted
        .slice(written)
        .filter((statement) => isCounted(statement) && !/pg_snapshot_xmin|followers/.test(statement))
      assert.equal((await watched.queued(enrichers[0]?.id)).includes(`${prefix}-again-0.example`), true)
      return used.map((statement) => statement.replaceAll(/\s+/g, ' ').slice(0, 60))
    }
    assert.deepEqual(await measure(3, 1, 'few'), await measure(30, 20, 'many'))
  } finally {
    await watched.stop()
  }
})
