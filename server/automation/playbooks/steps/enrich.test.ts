import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { finds, status } from '../../../../test/set-up/enrichers.ts'
import {
  act,
  ask,
  corvus,
  countOf,
  entity,
  hiddenEntity,
  makeEntity,
  observable,
  ownerWith,
  resume,
} from '../../../../test/set-up/steps.ts'
import { until } from '../../../../test/until.ts'
import type { Subject, Waiting } from '../step.ts'
import { enrich } from './enrich.ts'

before(() => corvus.startProcess())

/** The end of a step that waits. */
async function ended(wanted: object, subject: Subject) {
  const begun = await act(enrich, wanted, subject)
  return begun.waitsFor === undefined ? begun : endOf(wanted, subject, begun.waitsFor)
}

const endOf = (wanted: object, subject: Subject, waitsFor: Waiting['waitsFor']) =>
  until(async () => {
    const seen = await resume(enrich, wanted, subject, waitsFor)
    return seen.outcome === undefined ? undefined : seen
  }, 'the look-ups do not end')

const verdict = (maliciousness: string) => finds({ kind: 'verdict', maliciousness })

test('the strongest verdict of all enrichers is the outcome', async () => {
  const names = ['nothing', 'tagged', 'safe', 'low', 'high'].map((name) => `heron_${name}`)
  const [nothing, tagged, safe, low, high] = await Promise.all(names.map((name) => corvus.enricher({ name })))
  corvus.source.answers('/heron_tagged', finds({ kind: 'tag', tag: 'seen' }))
  corvus.source.answers('/heron_safe', verdict('safe'))
  corvus.source.answers('/heron_low', verdict('low'))
  corvus.source.answers('/heron_high', verdict('high'))
  for (const [enrichers, outcome] of [
    [[nothing], 'not_found'],
    [[nothing, tagged], 'found'],
    [[tagged, safe], 'safe'],
    [[safe, low, nothing], 'suspicious'],
    [[low, high, safe], 'malicious'],
  ] as const) {
    const { id } = await corvus.observable(`${outcome}.heron.example`)
    const result = await ended({ enrichers: enrichers.map((each) => each.id) }, observable(id))
    assert.equal(result.outcome, outcome, JSON.stringify(result))
    assert.deepEqual(result.output?.malicious_observables, outcome === 'malicious' ? [id] : [])
  }
})

test('the observables of an entity are looked up, and valid results are used again', async () => {
  const { id: enricher } = await corvus.enricher({ name: 'heron_entity' })
  corvus.source.answers('/heron_entity', verdict('low'))
  const observables = ['one', 'two'].map((name) => ({ type: 'domain', value: `${name}.of.heron.example` }))
  const { id } = await makeEntity({}, { observables: [...observables, { type: 'email', value: 'a@heron.example' }] })
  const first = await ended({ enrichers: [enricher] }, entity(id))
  assert.partialDeepStrictEqual(first, {
    outcome: 'suspicious',
    output: { look_ups: 2, found: 2, not_found: 0, failed: 0, observables: 2 },
  })
  const again = await act(enrich, { enrichers: [enricher] }, entity(id))
  assert.deepEqual(again, first)
  assert.equal(corvus.source.callsTo('/heron_entity').length, 2)
})

test('a step that is done again waits for the same look-up', async () => {
  const { id: enricher } = await corvus.enricher({ name: 'heron_twice' })
  const gate = Promise.withResolvers<void>()
  corvus.source.answers('/heron_twice', async (response) => {
    await gate.promise
    response.writeHead(404).end()
  })
  const { id } = await corvus.observable('twice.heron.example')
  const wanted = { enrichers: [enricher] }
  const first = await act(enrich, wanted, observable(id), { key: 'one' })
  const second = await act(enrich, wanted, observable(id), { key: 'one' })
  assert.ok(first.waitsFor && second.waitsFor)
  assert.ok((first.retryInSeconds ?? 0) >= 2)
  gate.resolve()
  assert.equal((await endOf(wanted, observable(id), first.waitsFor)).outcome, 'not_found')
  assert.equal(corvus.source.callsTo('/heron_twice').length, 1)
})

test('a dry run asks no enricher, and uses what is stored', async () => {
  const { id: enricher } = await corvus.enricher({ name: 'heron_dry' })
  corvus.source.answers('/heron_dry', verdict('high'))
  const { id } = await corvus.observable('dry.heron.example')
  const wanted = { enrichers: [enricher] }
  const before = await act(enrich, wanted, observable(id), { isDryRun: true })
  assert.partialDeepStrictEqual(before, { outcome: 'not_found', output: { would_look_up: 1 } })
  assert.equal(await countOf(`enrichment_requests where enricher = ${enricher}`), 0)
  await ended(wanted, observable(id))
  const after = await act(enrich, wanted, observable(id), { isDryRun: true })
  assert.partialDeepStrictEqual(after, { outcome: 'malicious', output: { would_look_up: 0 } })
})

test('what must not leave the platform is out of scope, and so are other types and invisible objects', async () => {
  const { id: enricher } = await corvus.enricher({ name: 'heron_scope' })
  const wanted = { enrichers: [enricher] }
  const red = await makeEntity(
    {},
    { meta: { tlp_color: 'RED' }, observables: [{ type: 'domain', value: 'red.heron.example' }] },
  )
  const refused = await act(enrich, wanted, entity(red.id))
  assert.equal(refused.outcome, 'out_of_scope')
  assert.match(String(refused.warnings), /must not leave the platform: 1\./)
  const other = await ask('POST', 'observables', { type: 'email', value: 'b@heron.example' })
  assert.equal((await act(enrich, wanted, observable(other.id))).outcome, 'out_of_scope')
  assert.equal((await act(enrich, wanted, entity(await hiddenEntity()))).outcome, 'out_of_scope')
  assert.equal(corvus.source.callsTo('/heron_scope').length, 0)
})

test('an enricher that refuses all look-ups fails the step, and one of several leaves a warning', async () => {
  const [bad, good] = [await corvus.enricher({ name: 'heron_bad' }), await corvus.enricher({ name: 'heron_good' })]
  corvus.source.answers('/heron_bad', status(401))
  corvus.source.answers('/heron_good', verdict('low'))
  const { id } = await corvus.observable('bad.heron.example')
  await assert.rejects(ended({ enrichers: [bad.id] }, observable(id)), /heron_bad/)
  const { outcome, warnings } = await ended({ enrichers: [bad.id, good.id] }, observable(id))
  assert.equal(outcome, 'suspicious')
  assert.match(String(warnings), /heron_bad/)
})

test('the wait ends, and the owner needs the permission to look up', async () => {
  const { id: enricher } = await corvus.enricher({ name: 'heron_late' })
  const gate = Promise.withResolvers<void>()
  corvus.source.answers('/heron_late', async (response) => {
    await gate.promise
    response.writeHead(404).end()
  })
  const { id } = await corvus.observable('late.heron.example')
  const { waitsFor } = await act(enrich, { enrichers: [enricher] }, observable(id))
  const over = { ...waitsFor, until: new Date(0).toISOString() }
  await assert.rejects(resume(enrich, { enrichers: [enricher] }, observable(id), over), /had not ended in time: 1\./)
  gate.resolve()
  const owner = await ownerWith(['read entities', 'read extracts'])
  await assert.rejects(
    act(enrich, { enrichers: [enricher] }, observable(id), { owner }),
    /Missing permissions: \[modify enrichments\]/,
  )
})
