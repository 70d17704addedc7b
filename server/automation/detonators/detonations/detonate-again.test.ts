import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { base64, startDetonators } from '../../../../test/set-up/detonators.ts'
import { detailsOf } from '../../../../test/set-up/enrichers.ts'
import { until } from '../../../../test/until.ts'

let corvus: Awaited<ReturnType<typeof startDetonators>>
before(async () => {
  corvus = await startDetonators()
})
afterEach(async () => {
  await corvus.stopLanes()
  corvus.vendor.reset()
})
after(() => corvus.stop())

let counter = 0
const content = () => base64(`A program that is detonated again ${++counter}.`)
const post = (data: unknown, token = corvus.admin) => corvus.call('POST', 'detonations', { data }, token)
const submit = (data: unknown, token = corvus.admin) => corvus.ask('POST', 'detonations', data, token)

const ANALYST = ['read detonations', 'modify detonations', 'read detonators']

/** A finished detonation of uploaded content. */
async function finished(detonator: number, more: object = {}) {
  corvus.startLane()
  const made = await submit({ detonator, data: content(), filename: 'invoice.exe', ...more })
  return corvus.inState(made.id, ['FINISHED'])
}

test('the sample of a detonation is submitted again without sending its content once more', async () => {
  const [first, second] = [await corvus.detonator(), await corvus.detonator()]
  const before = await finished(first.id, { tlp_color: 'GREEN' })
  const other = await submit({ detonator: second.id, detonation: before.id })
  assert.notEqual(other.id, before.id)
  assert.partialDeepStrictEqual(other, { filename: 'invoice.exe', hashes: before.hashes, size: before.size })
  assert.equal((await corvus.inState(other.id, ['FINISHED', 'FAILED'])).state, 'FINISHED')
  assert.match(String(corvus.vendor.received('submit').at(-1)?.body), /A program that is detonated again/)
  assert.equal((await submit({ detonator: first.id, detonation: before.id })).id, before.id, 'its result is used again')
  const renamed = await submit({
    detonator: first.id,
    detonation: before.id,
    filename: 'b.exe',
    options: { timeout: 9 },
  })
  assert.equal(renamed.filename, 'b.exe')
  // A colour that was given before is not lowered.
  await corvus.ask('PATCH', `detonators/${second.id}`, { max_tlp: 'CLEAR' })
  const above = await post({ detonator: second.id, detonation: before.id })
  assert.match(detailsOf(above).join(), /It is TLP GREEN, and the detonator may receive at most WHITE/)
  const page = await submit({ detonator: first.id, url: 'https://again.example/', tlp_color: 'CLEAR' })
  const address = await submit({ detonator: second.id, detonation: page.id })
  assert.equal(address.url, 'https://again.example/')
})

test('a sample is submitted again only by those who may read it, with consent, and while it is stored', async () => {
  const detonator = await corvus.detonator()
  const analyst = await corvus.personIn('Again', ANALYST, [])
  const reader = await corvus.personIn('Again reader', ANALYST, [`${detonator.source}?allowed_tlp=RED`])
  const before = await finished(detonator.id)
  const again = { detonator: detonator.id, detonation: before.id }
  const unseen = await post(again, analyst.token)
  assert.deepEqual(detailsOf(unseen), [`detonation: there is no '${before.id}' in detonations`])
  const refused = await post(again, reader.token)
  assert.equal(refused.body[0].title, 'Consent Required')
  await corvus.consent(detonator.id, reader.token)
  const seen = await submit({ ...again, force: true }, reader.token)
  assert.equal(seen.filename, 'invoice.exe', 'those who see the report see the name there')
  assert.equal((await corvus.inState(seen.id, ['FINISHED', 'FAILED'], reader.token)).state, 'FINISHED')

  const uploaded = await corvus.ask('POST', 'files', { name: 'u.bin', data: content(), process: false })
  const ofFile = await submit({ detonator: detonator.id, file: uploaded.id })
  const partly = await corvus.tokenFor(ANALYST)
  assert.equal((await post({ detonator: detonator.id, detonation: ofFile.id }, partly)).status, 400)
  await corvus.inState(ofFile.id, ['FINISHED'])
  await corvus.ask('DELETE', `files/${uploaded.id}`)
  const gone = await post({ detonator: detonator.id, detonation: ofFile.id })
  assert.deepEqual(detailsOf(gone), ['detonation: its sample was deleted or is no longer visible to you'])
  const { sha256 } = before.hashes
  await corvus.pool.query('update detonations set sample = null where sha256 = $1', [sha256])
  await corvus.pool.query('delete from stored_blobs where key = $1', [sha256])
  assert.deepEqual(detailsOf(await post(again)), ['detonation: its sample is no longer stored'])
  const none = await post({ detonator: detonator.id, detonation: '00000000-0000-7000-8000-000000000000' })
  assert.match(detailsOf(none).join(), /^detonation: there is no/)
})

test('who may no longer read what a sample came from does not submit it again', async () => {
  const detonator = await corvus.detonator()
  const analyst = await corvus.tokenFor([...ANALYST, 'read files', 'modify files'])
  await corvus.consent(detonator.id, analyst)
  const { id } = await corvus.ask('GET', 'users/self', undefined, analyst)
  const file = { name: 'r.bin', data: content(), process: false }
  const uploaded = await corvus.ask('POST', 'files', file, analyst)
  const before = await submit({ detonator: detonator.id, file: uploaded.id }, analyst)
  const again = { detonator: detonator.id, detonation: before.id }
  assert.equal((await post(again, analyst)).status, 201)
  await corvus.pool.query(
    `delete from role_permissions as l using role_users as u, permissions as p
    where u.source = l.source and u.target = $1 and p.id = l.target and p.name = 'read files'`,
    [id],
  )
  const refused = await until(async () => {
    const answer = await post(again, analyst)
    return answer.status === 403 ? answer : undefined
  }, 'the lost permission has no effect')
  assert.match(detailsOf(refused).join(), /read files/)
})

test('a forced submission is made although there is a result and the vendor knows the sample, and counts', async () => {
  const detonator = await corvus.detonator({ detonation_per_day_limit: 3 })
  const before = await finished(detonator.id)
  const again = { detonator: detonator.id, detonation: before.id }
  assert.equal((await submit(again)).id, before.id)
  corvus.vendor.plan.find = () => ({ id: 'known', url: null })
  await corvus.stopLanes()
  const forced = await submit({ ...again, force: true })
  assert.notEqual(forced.id, before.id)
  assert.equal((await submit({ ...again, force: true })).id, forced.id, 'a forced submission is joined by another')
  corvus.startLane()
  const ended = await corvus.inState(forced.id, ['FINISHED', 'FAILED'])
  assert.partialDeepStrictEqual(ended, { state: 'FINISHED', was_known: false })
  assert.equal(corvus.vendor.received('submit').length, 2)
  assert.equal((await corvus.ask('GET', `detonators/${detonator.id}`)).today_detonation_count, 2)
  assert.equal((await submit(again)).id, forced.id, 'the latest result is used again')
})

test('a forced submission does not join one that may be answered by a known result, but others join it', async () => {
  const detonator = await corvus.detonator()
  const data = content()
  const plain = await submit({ detonator: detonator.id, data })
  const forced = await submit({ detonator: detonator.id, data, force: true })
  assert.notEqual(forced.id, plain.id)
  assert.equal((await submit({ detonator: detonator.id, data })).id, plain.id)
  await corvus.ask('POST', `detonations/${plain.id}/cancel`)
  assert.equal((await submit({ detonator: detonator.id, data })).id, forced.id)
})

test('a forced submission beyond the limit of the day waits', async () => {
  const detonator = await corvus.detonator({ detonation_per_day_limit: 1 })
  const before = await finished(detonator.id)
  const forced = await submit({ detonator: detonator.id, detonation: before.id, force: true })
  const waiting = await until(async () => {
    const found = await corvus.read(forced.id)
    return found.state_reason !== null && found
  }, 'the forced submission does not wait')
  assert.equal(waiting.state, 'WAITING')
  assert.match(waiting.state_reason, /^The limit of submissions per day is reached/)
  assert.equal((await corvus.ask('GET', `detonators/${detonator.id}`)).today_detonation_count, 1)
})
