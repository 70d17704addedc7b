import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANALYST, base64 } from '../../../../test/set-up/detonators.ts'
import { corvus } from '../../../../test/set-up/scripted-sandbox.ts'

let counter = 0
const content = () => base64(`A requested program ${++counter}.`)

test('a second requester joins a submission, sees the result, and nothing of the first', async () => {
  const detonator = await corvus.detonator({ tlp_color: 'GREEN' })
  const source = `${detonator.source}?allowed_tlp=RED`
  const [one, two] = [
    await corvus.personIn('First', ANALYST, [source]),
    await corvus.personIn('Second', ANALYST, [source]),
  ]
  const blind = await corvus.personIn('Blind', ANALYST, [])
  await corvus.consent(detonator.id, one.token)
  await corvus.consent(detonator.id, two.token)
  await corvus.consent(detonator.id, blind.token)
  const data = content()
  const first = await corvus.ask(
    'POST',
    'detonations',
    { detonator: detonator.id, data, filename: 'secret-case.exe', tlp_color: 'GREEN' },
    one.token,
  )
  assert.equal((await corvus.call('GET', `detonations/${first.id}`, undefined, two.token)).status, 404)
  const second = await corvus.ask(
    'POST',
    'detonations',
    { detonator: detonator.id, data, filename: 'mine.exe' },
    two.token,
  )
  const third = await corvus.ask(
    'POST',
    'detonations',
    { detonator: detonator.id, data, filename: 'blind.exe' },
    blind.token,
  )
  assert.deepEqual([second.id, third.id], [first.id, first.id])
  corvus.startLane()
  const seen = await corvus.inState(first.id, ['FINISHED', 'FAILED'], two.token)
  const submitted = corvus.vendor.received('submit').map(({ body }) => String(body))
  assert.equal(submitted.filter((body) => body.includes(Buffer.from(data, 'base64').toString())).length, 1)
  assert.equal(seen.state, 'FINISHED', seen.state_reason)
  assert.equal(seen.filename, 'mine.exe')
  assert.match(seen.created_by, new RegExp(`/users/${two.id}$`))
  assert.ok(seen.requested_at >= second.requested_at)
  assert.ok(!JSON.stringify(seen).includes('secret-case'))
  assert.equal(seen.verdict, 'malicious')
  // Its requester who does not see the source of the detonator knows that it has ended, and no more.
  const unseen = await corvus.read(first.id, blind.token)
  assert.partialDeepStrictEqual(unseen, {
    state: 'FINISHED',
    verdict: null,
    entity: null,
    extracts: [],
    report_url: null,
  })
  assert.equal((await corvus.call('GET', `detonations/${first.id}/report`, undefined, blind.token)).status, 404)
  const entity = String(seen.entity).split('/').at(-1)
  assert.equal((await corvus.call('GET', `entities/${entity}`, undefined, blind.token)).status, 404)
  const stranger = await corvus.personIn('Stranger', ANALYST, [])
  assert.equal((await corvus.call('GET', `detonations/${first.id}`, undefined, stranger.token)).status, 404)
  assert.equal((await corvus.ask('GET', 'detonations', undefined, stranger.token)).length, 0)
  const reader = await corvus.personIn('Reader', ANALYST, [source])
  const read = await corvus.read(first.id, reader.token)
  assert.equal(read.verdict, 'malicious')
  assert.equal(read.entities[0].entity_id, entity)
  const named = `detonations?filter[entities.entity_id]=${entity}`
  assert.equal((await corvus.ask('GET', named, undefined, reader.token)).length, 1)
  // The colour of the analysis is raised: its report stays, and no longer says which entity it is.
  const green = await corvus.personIn('Green', ANALYST, [`${detonator.source}?allowed_tlp=GREEN`])
  await corvus.ask('PATCH', `entities/${entity}`, { meta: { tlp_color: 'RED' } })
  const restricted = await corvus.read(first.id, green.token)
  assert.partialDeepStrictEqual(restricted, { verdict: 'malicious', entity: null })
  assert.ok(!JSON.stringify(restricted).includes(String(entity)))
  assert.equal((await corvus.ask('GET', named, undefined, green.token)).length, 0)
  // Its colour is lowered: who sees the entity by now still sees nothing of the report.
  await corvus.ask('PATCH', `entities/${entity}`, { meta: { tlp_color: null } })
  const white = `${detonator.source}?allowed_tlp=WHITE`
  await corvus.ask('PATCH', `groups/${blind.group.id}`, { sources: [white] })
  assert.equal((await corvus.call('GET', `entities/${entity}`, undefined, blind.token)).status, 200)
  assert.partialDeepStrictEqual(await corvus.read(first.id, blind.token), { verdict: null, entity: null })
})

test('a detonation is cancelled for one requester, and ends with the last', async () => {
  const detonator = await corvus.detonator()
  const other = await corvus.tokenFor(ANALYST)
  await corvus.consent(detonator.id, other)
  const data = content()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, data })
  await corvus.ask('POST', 'detonations', { detonator: detonator.id, data }, other)
  assert.equal((await corvus.ask('POST', `detonations/${made.id}/cancel`)).state, 'CANCELLED')
  assert.equal((await corvus.read(made.id, other)).state, 'WAITING')
  assert.equal((await corvus.call('POST', `detonations/${made.id}/cancel`)).status, 409)
  const again = await corvus.ask('POST', 'detonations', { detonator: detonator.id, data })
  assert.partialDeepStrictEqual(again, { id: made.id, state: 'WAITING' })
  await corvus.ask('POST', `detonations/${made.id}/cancel`)
  assert.equal((await corvus.ask('POST', `detonations/${made.id}/cancel`, undefined, other)).state, 'CANCELLED')
  const { rows } = await corvus.pool.query('select state from detonations where id = $1', [made.id])
  assert.equal(rows[0].state, 'CANCELLED')
  corvus.startLane()
  const next = await corvus.ask('POST', 'detonations', { detonator: detonator.id, data })
  assert.notEqual(next.id, made.id)
  await corvus.inState(next.id, ['FINISHED'])
})

test('who cancelled a detonation learns nothing of how it goes on for others', async () => {
  const detonator = await corvus.detonator()
  const blind = await corvus.personIn('Leaver', ANALYST, [])
  await corvus.consent(detonator.id, blind.token)
  const data = content()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, data }, blind.token)
  await corvus.ask('POST', 'detonations', { detonator: detonator.id, data })
  const left = await corvus.ask('POST', `detonations/${made.id}/cancel`, undefined, blind.token)
  assert.partialDeepStrictEqual(left, { state: 'CANCELLED', vendor_url: null, was_known: false, submitted_at: null })
  assert.ok(left.finished_at >= left.requested_at)
  corvus.startLane()
  assert.notEqual((await corvus.inState(made.id, ['FINISHED'])).vendor_url, null)
  assert.deepEqual(await corvus.read(made.id, blind.token), left)
})
