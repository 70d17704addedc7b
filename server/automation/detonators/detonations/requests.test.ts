import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { base64, startDetonators } from '../../../../test/set-up/detonators.ts'
import { detailsOf } from '../../../../test/set-up/enrichers.ts'

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
const content = () => base64(`A requested program ${++counter}.`)
const address = () => `https://requested-${++counter}.example/path`
const post = (data: unknown, token = corvus.admin) => corvus.call('POST', 'detonations', { data }, token)

const ANALYST = [
  'read detonations',
  'modify detonations',
  'read detonators',
  'read entities',
  'read extracts',
  'read files',
]

test('a body names exactly one sample and its detonators, and every bad field', async () => {
  const { id } = await corvus.detonator()
  const nothing = await post({})
  assert.equal(nothing.status, 400)
  assert.deepEqual(detailsOf(nothing).sort(), [
    'data.detonators: is required, unless there is a detonator',
    'data.file: is required, unless there is one of attachment, observable, url, data',
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

test('files, attachments and hashes of stored content are samples as well', async () => {
  const { id } = await corvus.detonator()
  const uploaded = await corvus.ask('POST', 'files', { name: 'stored.bin', data: content(), process: false })
  const ofFile = await corvus.ask('POST', 'detonations', { detonators: [id], file: uploaded.id })
  assert.partialDeepStrictEqual(ofFile[0], { kind: 'file', filename: 'stored.bin', hashes: uploaded.hashes })
  assert.match(ofFile[0].file, new RegExp(`/files/${uploaded.id}$`))
  const entity = await corvus.ask('POST', 'entities', { data: { type: 'report', title: 'With a file' } })
  const attached = await corvus.ask('POST', 'entities/attachments', {
    filename: 'attached.bin',
    data: content(),
    entities: [entity.id],
  })
  const ofAttachment = await corvus.ask('POST', 'detonations', { detonator: id, attachment: attached.id })
  assert.match(ofAttachment.origin, new RegExp(`/entities/${entity.id}$`))
  const hash = await corvus.ask('POST', 'observables', { type: 'hash-sha256', value: attached.hashes.sha256 })
  const ofHash = await corvus.ask('POST', 'detonations', { detonator: id, observable: hash.id })
  assert.equal(ofHash.id, ofAttachment.id, 'the same content is one submission')
  corvus.startLane()
  const ended = await corvus.inState(ofAttachment.id, ['FINISHED', 'FAILED'])
  assert.equal(ended.state, 'FINISHED', ended.state_reason)
  assert.match(String(corvus.vendor.received('submit').map(({ body }) => body)), /A requested program/)
  const again = await corvus.ask('POST', 'detonations', { detonator: id, attachment: attached.id })
  assert.equal(again.id, ofAttachment.id, 'a valid result is used again')
  const other = await corvus.ask('POST', 'detonations', {
    detonator: id,
    attachment: attached.id,
    options: { timeout: 5 },
  })
  assert.notEqual(other.id, ofAttachment.id, 'other options are another submission')
  const found = await corvus.ask(
    'GET',
    `detonations?filter[hashes.sha256]=${attached.hashes.sha256}&filter[state]=FINISHED`,
  )
  assert.deepEqual(
    found.map((each: { id: string }) => each.id),
    [ofAttachment.id],
  )
})

test('a second requester joins a submission, sees the result, and nothing of the first', async () => {
  const detonator = await corvus.detonator()
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
  assert.equal((await corvus.read(first.id, reader.token)).verdict, 'malicious')
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

test('extracts are accepted as observables of the own source, with the verdict, linked with the entity of the sample', async () => {
  const detonator = await corvus.detonator()
  const entity = await corvus.ask('POST', 'entities', {
    data: { type: 'report', title: 'Origin' },
    meta: { tlp_color: 'GREEN' },
  })
  const attached = await corvus.ask('POST', 'entities/attachments', {
    filename: 'a.bin',
    data: content(),
    entities: [entity.id],
  })
  const [bad, unknown] = [`bad-${++counter}.example`, `unknown-${++counter}.example`]
  corvus.vendor.plan.report = () => ({
    extracts: [
      { kind: 'domain', value: bad, classification: 'bad', confidence: 'medium', link_type: null },
      { kind: 'domain', value: unknown, classification: 'unknown', confidence: 'low', link_type: null },
    ],
  })
  corvus.startLane()
  const made = await corvus.ask('POST', 'detonations', { detonator: detonator.id, attachment: attached.id })
  await corvus.inState(made.id, ['FINISHED'])
  const path = `detonations/${made.id}/accept`
  const refused = await corvus.call('POST', path, { data: { extracts: [{ kind: 'domain', value: 'other.example' }] } })
  assert.deepEqual(detailsOf(refused), ['extracts[0]: is not among the extracts of this detonation'])
  const accepted = await corvus.ask('POST', path, {
    extracts: [
      { kind: 'domain', value: bad },
      { kind: 'domain', value: unknown },
    ],
  })
  assert.match(accepted.entity, new RegExp(`/entities/${entity.id}$`))
  assert.equal(accepted.observables.length, 2)
  const linked = await corvus.ask('GET', `observables?filter[entities]=${entity.id}`)
  assert.deepEqual(linked.map(({ value }: { value: string }) => value).sort(), [bad, unknown].sort())
  const { rows } = await corvus.pool.query(
    `select o.value, r.maliciousness, r.vis & 7 as rank
    from observable_records as r join observables as o on o.id = r.observable join sources as s on s.number = r.vis >> 3
    where s.type = 'group' and o.value = any($1) order by o.value`,
    [[bad, unknown]],
  )
  assert.deepEqual(rows, [
    { value: bad, maliciousness: 'medium', rank: 2 },
    { value: unknown, maliciousness: null, rank: 2 },
  ])
})

test('samples of the entities of a query are counted in a dry run, and submitted otherwise', async () => {
  const detonator = await corvus.detonator({ max_tlp: 'GREEN' })
  const tag = `query-${++counter}`
  const [open, restricted] = await corvus.ask('PUT', 'entities', [
    {
      data: { type: 'report', title: 'Open' },
      meta: { tags: [tag], tlp_color: 'GREEN' },
      observables: [
        { type: 'uri', value: address() },
        { type: 'domain', value: 'ignored.example' },
      ],
    },
    {
      data: { type: 'report', title: 'Restricted' },
      meta: { tags: [tag], tlp_color: 'RED' },
      observables: [{ type: 'uri', value: address() }],
    },
  ])
  assert.ok(restricted)
  await corvus.ask('POST', 'entities/attachments', { filename: 'a.bin', data: content(), entities: [open.id] })
  const wanted = { entities_query: `tags:${tag}`, detonators: [detonator.id] }
  const dry = await corvus.ask('POST', 'entities/by-query/detonate', { ...wanted, dry_run: true })
  assert.partialDeepStrictEqual(dry, { entities: 2, files: 1, urls: 2, submissions: 2, detonations: [] })
  assert.deepEqual(
    dry.withheld.map(({ count }: { count: number }) => count),
    [1],
  )
  assert.match(dry.withheld[0].reason, /TLP RED/)
  const made = await corvus.ask('POST', 'entities/by-query/detonate', wanted)
  assert.equal(made.detonations.length, 2)
  const files = await corvus.ask('POST', 'entities/by-query/detonate', {
    ...wanted,
    kinds: ['attachments'],
    dry_run: true,
  })
  assert.partialDeepStrictEqual(files, { files: 1, urls: 0, submissions: 1 })
})
