import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANALYST, base64 } from '../../../../test/set-up/detonators.ts'
import { detailsOf } from '../../../../test/set-up/enrichers.ts'
import { corvus } from '../../../../test/set-up/scripted-sandbox.ts'

let counter = 0
const content = () => base64(`A requested program ${++counter}.`)
const address = () => `https://requested-${++counter}.example/path`
const post = (data: unknown, token = corvus.admin) => corvus.call('POST', 'detonations', { data }, token)

test('a body names exactly one sample and its detonators, and every bad field', async () => {
  const { id } = await corvus.detonator()
  const nothing = await post({})
  assert.equal(nothing.status, 400)
  assert.deepEqual(detailsOf(nothing).sort(), [
    'data.detonators: is required, unless there is a detonator',
    'data.file: is required, unless there is one of attachment, observable, detonation, url, data',
  ])
  const both = await post({ detonator: id, detonators: [id], url: address(), data: content() })
  assert.deepEqual(detailsOf(both).sort(), [
    'data.data: must not be given together with url',
    'data.detonator: must not be given together with detonators',
  ])
  const unknown = await post({ detonators: [id, 4711], url: 'no address', options: { nope: 1, timeout: 0 } })
  assert.equal(unknown.status, 400)
  const said = detailsOf(unknown).join('\n')
  for (const part of [
    /^url: /m,
    /detonators\[1\]: there is no '4711'/,
    /options.nope: is no option/,
    /options.timeout: /,
  ])
    assert.match(said, part)
  for (const sample of [{ file: 4711 }, { attachment: '00000000-0000-7000-8000-000000000000' }, { observable: 4711 }]) {
    const gone = await post({ detonator: id, ...sample })
    assert.equal(gone.status, 400, JSON.stringify(gone.body))
    assert.match(detailsOf(gone).join(), new RegExp(`^${Object.keys(sample)[0]}: there is no`))
  }
  const domain = await corvus.ask('POST', 'observables', { type: 'domain', value: 'no-sample.example' })
  assert.match(detailsOf(await post({ detonator: id, observable: domain.id })).join(), /^observable: is a domain/)
})

test('nothing is accepted without the permission, from an inactive detonator or without consent to the present terms', async () => {
  const detonator = await corvus.detonator()
  const reader = await corvus.tokenFor(['read detonations', 'read detonators'])
  assert.equal((await post({ detonator: detonator.id, url: address() }, reader)).status, 403)
  const analyst = await corvus.tokenFor(ANALYST)
  const refused = await post({ detonator: detonator.id, url: address() }, analyst)
  assert.equal(refused.status, 409)
  assert.equal(refused.body[0].title, 'Consent Required')
  assert.match(detailsOf(refused).join(), new RegExp(`POST .*/detonators/${detonator.id}/consent`))
  const partly = await corvus.call(
    'POST',
    `detonators/${detonator.id}/consent`,
    { data: { terms: ['samples', 'x'] } },
    analyst,
  )
  assert.deepEqual(detailsOf(partly), [
    "terms: 'x' is none of the terms of Scripted sandbox: samples, public",
    "terms: 'public' has to be accepted as well",
  ])
  await corvus.consent(detonator.id, analyst)
  assert.equal((await corvus.ask('GET', `detonators/${detonator.id}`, undefined, analyst)).is_consented, true)
  assert.equal((await post({ detonator: detonator.id, url: address() }, analyst)).status, 201)
  assert.equal((await corvus.call('DELETE', `detonators/${detonator.id}/consent`, undefined, analyst)).status, 204)
  assert.equal((await post({ detonator: detonator.id, url: address() }, analyst)).status, 409)
  // Consent to send samples to one server is none to send them to another, and the secret has to be given again.
  const moved = { url: 'https://elsewhere.example', api_key: 'another-key' }
  await corvus.ask('PATCH', `detonators/${detonator.id}`, { parameters: moved })
  assert.equal((await post({ detonator: detonator.id, url: address() })).body[0].title, 'Consent Required')
  await corvus.ask('PATCH', `detonators/${detonator.id}`, { is_active: false })
  assert.equal((await post({ detonator: detonator.id, url: address() })).body[0].title, 'Detonator Inactive')
})

test('changed terms have to be accepted again', async () => {
  const detonator = await corvus.detonator()
  await corvus.pool.query(`update detonator_consents set digest = 'of other terms' where detonator = $1`, [
    detonator.id,
  ])
  assert.equal((await corvus.ask('GET', `detonators/${detonator.id}`)).is_consented, false)
  assert.equal((await post({ detonator: detonator.id, url: address() })).status, 409)
})

test('nothing above the ceiling or on an exclusion list is accepted', async () => {
  const { id } = await corvus.detonator({ max_tlp: 'GREEN' })
  const red = await post({ detonator: id, url: address(), tlp_color: 'AMBER' })
  assert.equal(red.status, 409)
  assert.match(detailsOf(red).join(), /It is TLP AMBER, and the detonator may receive at most GREEN/)
  const value = address()
  await corvus.ask('PUT', 'entities', [
    {
      data: { type: 'report', title: 'Restricted' },
      meta: { tlp_color: 'RED' },
      observables: [{ type: 'uri', value }],
      attachments: [],
    },
  ])
  const known = await post({ detonator: id, url: value })
  assert.match(detailsOf(known).join(), /It is TLP RED/)
  const [observable] = await corvus.ask('GET', `observables?filter[value]=${encodeURIComponent(value)}`)
  assert.match(detailsOf(await post({ detonator: id, observable: observable.id })).join(), /It is TLP RED/)
  const uploaded = await corvus.ask('POST', 'files', {
    name: 'x.bin',
    data: content(),
    process: false,
    tlp_color: 'RED',
  })
  assert.match(detailsOf(await post({ detonator: id, file: uploaded.id })).join(), /It is TLP RED/)
  const own = address()
  await corvus.ask('POST', 'exclusion-lists', { name: 'Ours', types: ['uri'], entries: [own] })
  assert.match(detailsOf(await post({ detonator: id, url: own })).join(), /exclusion list 'Ours'/)
})
