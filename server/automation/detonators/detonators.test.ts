import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { base64, startDetonators, TYPES } from '../../../test/set-up/detonators.ts'
import { detailsOf } from '../../../test/set-up/enrichers.ts'

let corvus: Awaited<ReturnType<typeof startDetonators>>
before(async () => {
  corvus = await startDetonators()
})
after(() => corvus.stop())

const parameters = { url: 'https://sandbox.example.org', api_key: 'a-very-secret-key' }
const PASS_THROUGH = '<PASS_THROUGH_TOKEN>'

test('an installation has an inactive detonator for each adapter of the platform, and a deleted one stays deleted', async () => {
  const shipped = await corvus.ask('GET', 'detonators?sort=name')
  assert.deepEqual(
    shipped.map(({ name, is_active, created_by }: Record<string, unknown>) => [name, is_active, created_by]),
    ['cape', 'hybrid_analysis', 'joe', 'triage'].map((name) => [name, false, null]),
  )
  await corvus.ask('DELETE', `detonators/${shipped[0].id}`)
  const { prepare } = await import('../../seed.ts')
  await prepare(corvus.db, { adminPassword: undefined })
  assert.equal((await corvus.ask('GET', 'detonators?filter[name]=cape')).length, 0)
})

test('the adapters of the installation are listed with their forms and terms, for those who read detonators', async () => {
  const adapters = await corvus.ask('GET', 'detonators/adapters')
  assert.equal(adapters.length, 1)
  const made = await corvus.ask('POST', 'detonators', { adapter: 'scripted', parameters })
  assert.deepEqual(adapters[0], {
    name: 'scripted',
    title: 'Scripted sandbox',
    description: 'A sandbox whose answers tests arrange.',
    supported_detonation_types: made.supported_detonation_types,
    supported_extract_types: made.supported_extract_types,
    terms: made.terms,
    ui_form_schema: made.ui_form_schema,
  })
  await corvus.ask('DELETE', `detonators/${made.id}`)
  const outsider = await corvus.tokenFor(['read detonations'])
  assert.equal((await corvus.call('GET', 'detonators/adapters', undefined, outsider)).status, 403)
})

test('a detonator has every field of the specification, with defaults of its adapter', async () => {
  const made = await corvus.ask('POST', 'detonators', { name: 'scripted', parameters })
  assert.partialDeepStrictEqual(made, {
    name: 'scripted',
    adapter: 'scripted',
    task_name: 'Scripted sandbox',
    task_type: 'detonator.scripted',
    description: '',
    is_active: false,
    is_installed: true,
    detonation_per_day_limit: null,
    today_detonation_count: 0,
    parameters: { ...parameters, api_key: PASS_THROUGH },
    selected_extract_types: TYPES,
    supported_detonation_types: ['file', 'url'],
    max_tlp: 'GREEN',
    tlp_color: null,
    cache_validity: 604_800,
    state: 'INACTIVE',
    is_consented: false,
  })
  assert.deepEqual(
    made.terms.map(({ id, url }: Record<string, unknown>) => [id, url]),
    [
      ['samples', 'https://vendor.example/terms'],
      ['public', null],
    ],
  )
  assert.equal(made.ui_form_schema[0].name, 'url')
  const source = await corvus.ask('GET', `sources/${String(made.source).split('/').at(-1)}`)
  assert.deepEqual([source.name, source.type], ['scripted', 'detonator'])
  const second = await corvus.ask('POST', 'detonators', { adapter: 'scripted', max_tlp: null })
  assert.deepEqual([second.name, second.max_tlp], ['scripted_2', null])
  const renamed = await corvus.ask('PATCH', `detonators/${second.id}`, { name: 'other', description: 'Ours.' })
  assert.deepEqual([renamed.name, renamed.description], ['scripted_2', 'Ours.'])
  const [same] = await corvus.ask('PUT', 'detonators', [{ name: 'scripted_2', detonation_per_day_limit: 3 }])
  assert.deepEqual([same.id, same.detonation_per_day_limit, same.description], [second.id, 3, 'Ours.'])
})

test('a detonator that cannot work is refused with everything that is wrong', async () => {
  const wrong = await corvus.call('POST', 'detonators', {
    data: { adapter: 'scripted', is_active: true, selected_extract_types: ['asn'], parameters: { url: 'no address' } },
  })
  assert.equal(wrong.status, 400)
  const said = detailsOf(wrong).join('\n')
  for (const part of [
    /selected_extract_types: scripted does not find asn, only ipv4/,
    /parameters.url: /,
    /parameters.api_key: /,
  ])
    assert.match(said, part)
  assert.match(
    detailsOf(await corvus.call('POST', 'detonators', { data: { name: 'x' } })).join(),
    /adapter: is required/,
  )
  const unknown = { adapter: 'unheard_of', is_active: true }
  assert.match(detailsOf(await corvus.call('POST', 'detonators', { data: unknown })).join(), /no adapter 'unheard_of'/)
  const stored = await corvus.ask('POST', 'detonators', { ...unknown, is_active: false })
  assert.deepEqual([stored.is_installed, stored.state], [false, 'NOT_INSTALLED'])
  const changed = await corvus.call('PATCH', `detonators/${stored.id}`, { data: { adapter: 'scripted' } })
  assert.match(detailsOf(changed).join(), /^adapter: cannot be changed/)
})

test('a secret is kept when its token is sent back, and has to be given again for another server', async () => {
  const made = await corvus.ask('POST', 'detonators', { adapter: 'scripted', is_active: true, parameters })
  const kept = await corvus.ask('PATCH', `detonators/${made.id}`, {
    parameters: { ...made.parameters },
    description: 'x',
  })
  assert.equal(kept.parameters.api_key, PASS_THROUGH)
  const moved = { url: 'https://elsewhere.example', api_key: PASS_THROUGH }
  const refused = await corvus.call('PATCH', `detonators/${made.id}`, { data: { parameters: moved } })
  assert.match(detailsOf(refused).join(), /^parameters.api_key: must be given again/)
  const { rows } = await corvus.pool.query('select * from detonators where id = $1', [made.id])
  assert.ok(!JSON.stringify(rows).includes('a-very-secret-key'))
})

test('deleting a detonator deletes what it found, which takes the permissions for that', async () => {
  const detonator = await corvus.detonator()
  corvus.vendor.plan.report = () => ({
    extracts: [
      { kind: 'domain', value: 'deleted.example', classification: 'bad', confidence: 'high', link_type: null },
    ],
  })
  corvus.startLane()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, data: base64('to be deleted') })
  const ended = await corvus.inState(made.id, ['FINISHED'])
  await corvus.stopLanes()
  const setter = await corvus.tokenFor(['read detonators', 'modify detonators'])
  const refused = await corvus.call('DELETE', `detonators/${detonator.id}`, undefined, setter)
  assert.equal(refused.status, 403)
  assert.match(detailsOf(refused).join(), /modify entities, modify extracts/)
  await corvus.ask('DELETE', `detonators/${detonator.id}`)
  assert.equal((await corvus.call('GET', `detonations/${made.id}`)).status, 404)
  assert.equal((await corvus.call('GET', `entities/${String(ended.entity).split('/').at(-1)}`)).status, 404)
  assert.equal((await corvus.ask('GET', 'observables?filter[value]=deleted.example')).length, 0)
})
