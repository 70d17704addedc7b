import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BASE, type Method, startApp } from '../../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

const url = (path: string) => `${BASE}/api/v2/${path}`
const details = (body: readonly { detail: string }[]) => body.map(({ detail }) => detail)

/** Calls a path below the defenses and checks the status. */
async function call(method: Method, path: string, status: number, data?: unknown) {
  const body = data === undefined ? undefined : { data }
  const answer = await corvus.call(method, `attack-defenses${path}`, body)
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const create = async (item: object) => (await call('POST', '', 201, item)).data
const countOf = async (filters: string) => (await call('GET', `?limit=1&${filters}`, 200)).total_count

/** The defense of a framework with this id of its publisher. */
const published = async (id: string) => (await call('GET', `?filter[external_id]=${id}`, 200)).data[0]

test('a new server has the defenses of ATT&CK 18.1, and filters find them by type and domain', async () => {
  const expected = {
    'enterprise-attack': [44, 691, 1739, 106],
    'mobile-attack': [13, 124, 211, 17],
    'ics-attack': [52, 83, 82, 36],
    DISARM: [0, 0, 0, 0],
  }
  const types = ['mitigation', 'detection-strategy', 'analytic', 'data-component']
  for (const [domain, counts] of Object.entries(expected))
    for (const name of ['domains', 'matrix'])
      assert.deepEqual(
        await Promise.all(types.map((type) => countOf(`filter[type]=${type}&filter[${name}]=${domain}`))),
        counts,
        `${name} ${domain}`,
      )
})

test('a defense of a framework has all members, and leads to what it refers to', async () => {
  const mitigation = await published('M1031')
  assert.partialDeepStrictEqual(mitigation, {
    type: 'mitigation',
    name: 'Network Intrusion Prevention',
    matrix: mitigation.domains[0],
    mitre_platforms: null,
    mutable_elements: null,
    related_defenses: [],
    is_system: true,
    created_by: null,
  })
  assert.ok(mitigation.domains.includes('enterprise-attack'))
  assert.equal(mitigation.external_references[0].external_id, 'M1031')
  for (const name of ['source_defenses', 'related_techniques', 'own']) assert.ok(!(name in mitigation), name)
  const [strategy] = (await call('GET', '?filter[type]=detection-strategy&limit=1', 200)).data
  assert.ok(strategy.related_defenses.length > 0)
  for (const address of strategy.related_defenses) {
    const { body } = await corvus.call('GET', new URL(address).pathname)
    assert.equal(body.data.type, 'analytic')
    assert.ok(Array.isArray(body.data.mitre_platforms) && Array.isArray(body.data.mutable_elements))
  }
  assert.equal(await countOf(`filter[source_defenses]=${strategy.id}`), strategy.related_defenses.length)
})

test('the defenses against a technique are found by its node', async () => {
  const mitigations = await countOf('filter[related_techniques]=TA0001:T1566&filter[type]=mitigation')
  const { total_count } = await call('GET', '/relationships?filter[technique]=TA0001:T1566&filter[type]=mitigates', 200)
  assert.ok(mitigations > 0)
  assert.equal(mitigations, total_count)
})

test('defenses of frameworks cannot be changed or deleted', async () => {
  const { id, name } = await published('M1031')
  const refusal = [`Attack defense ${id} belongs to an attack framework and cannot be changed or deleted.`]
  assert.deepEqual(details(await call('PATCH', `/${id}`, 409, { description: 'Mine' })), refusal)
  assert.deepEqual(details(await call('DELETE', `/${id}`, 409)), refusal)
  const own = await create({ name, type: 'mitigation' })
  assert.notEqual(own.id, id, 'an own defense may have the same name')
  assert.deepEqual(details(await call('DELETE', '', 409, [own.id, id])), refusal)
  assert.equal((await call('GET', `/${own.id}`, 200)).data.is_system, false, 'nothing was deleted')
  const again = await call('PUT', '', 200, [{ name, type: 'mitigation', description: 'Own' }])
  assert.equal(again.data[0].id, own.id, 'an upsert finds the own one')
  assert.equal((await published('M1031')).description, '')
})

test('an own defense is created with its relationships, and its domains follow its techniques', async () => {
  const component = await published('DC0032')
  const analytic = await create({ name: 'Macro starts a shell', type: 'analytic', related_defenses: [component.id] })
  assert.deepEqual(analytic.related_defenses, [url(`attack-defenses/${component.id}`)])
  const strategy = await create({
    name: 'Macros',
    type: 'detection-strategy',
    related_defenses: [url(`attack-defenses/${analytic.id}`)],
    related_techniques: ['TA0001:T1566.001', url('attacks/TA0027:T1660')],
  })
  assert.deepEqual([strategy.domains, strategy.matrix], [['enterprise-attack', 'mobile-attack'], 'enterprise-attack'])
  assert.deepEqual((await call('GET', `/${analytic.id}`, 200)).data.domains, strategy.domains)
  const shown = async (path: string) =>
    (await call('GET', path, 200)).data.map(({ type, is_system }: { type: string; is_system: boolean }) => [
      type,
      is_system,
    ])
  assert.deepEqual(await shown(`/relationships?filter[defense]=${strategy.id}`), [
    ['detects', false],
    ['detects', false],
  ])
  assert.deepEqual(await shown(`/inner-relationships?filter[from_defense]=${strategy.id}`), [
    ['analytic-references', false],
  ])
  assert.deepEqual(await shown(`/inner-relationships?filter[from_defense]=${analytic.id}`), [
    ['log-source-references', false],
  ])
  const other = await create({ name: 'Shells', type: 'analytic', source_defenses: [strategy.id] })
  assert.deepEqual(
    (await call('GET', `/${strategy.id}`, 200)).data.related_defenses,
    [analytic.id, other.id].map((id) => url(`attack-defenses/${id}`)),
  )
})

test('lists of a defense are replaced, absent ones stay, and relationships that exist already keep their type', async () => {
  const item = { name: 'Gateway', type: 'mitigation', related_techniques: ['TA0001:T1566', 'TA0001:T1566.001'] }
  const { id } = await create(item)
  const of = async () =>
    (await call('GET', `/relationships?filter[defense]=${id}&sort=technique`, 200)).data.map(
      ({ technique, type }: { technique: string; type: string }) => [technique.split('/').at(-1), type],
    )
  await call('POST', '/relationships', 201, { defense: id, technique: 'TA0001:T1566.002', type: 'detects' })
  await call('PATCH', `/${id}`, 200, { description: 'Scans mail' })
  assert.equal((await of()).length, 3)
  await call('PATCH', `/${id}`, 200, { related_techniques: ['TA0001:T1566', 'TA0001:T1566.002', 'TA0001:T1566'] })
  assert.deepEqual(await of(), [
    ['TA0001:T1566', 'mitigates'],
    ['TA0001:T1566.002', 'detects'],
  ])
  await call('PUT', '', 200, [{ name: 'Gateway', type: 'mitigation' }])
  assert.equal((await of()).length, 2)
  await call('PATCH', `/${id}`, 200, { related_techniques: null })
  assert.deepEqual(await of(), [])
})

test('relationships follow the type of their defense', async () => {
  const component = await create({ name: 'Turned', type: 'analytic', related_techniques: ['TA0001:T1566'] })
  const item = { name: 'Turning', type: 'mitigation', related_techniques: ['TA0001:T1566', 'TA0001:T1566.001'] }
  const { id } = await create({ ...item, related_defenses: [component.id] })
  const typesOf = async (filter: string) => {
    const { data } = await call('GET', `/${filter}&sort=id`, 200)
    return data.map(({ type }: { type: string }) => type)
  }
  await call('POST', '/relationships', 201, { defense: id, technique: 'TA0001:T1566', type: 'detects' })
  await call('PATCH', `/${id}`, 200, { type: 'detection-strategy', related_techniques: item.related_techniques })
  assert.deepEqual(await typesOf(`relationships?filter[defense]=${id}`), ['detects', 'detects'])
  assert.deepEqual(await typesOf(`inner-relationships?filter[from_defense]=${id}`), ['analytic-references'])
  await call('PATCH', `/${component.id}`, 200, { type: 'data-component' })
  assert.deepEqual(await typesOf(`inner-relationships?filter[from_defense]=${id}`), ['log-source-references'])
})

test('a type and name that another own defense has are refused, as users know them', async () => {
  await create({ name: 'Taken', type: 'mitigation' })
  const { id } = await create({ name: 'Free', type: 'mitigation' })
  const expected = "The element already exists: type and name 'mitigation, Taken'."
  assert.deepEqual(details(await call('POST', '', 409, { name: 'Taken', type: 'mitigation' })), [expected])
  const renamed = await call('PATCH', `/${id}`, 409, { name: 'Taken' })
  assert.deepEqual(details(renamed), ["The element already exists: type and name 'Taken'."])
})

test('several defenses are written at once with their relationships, and one may have a name twice under two types', async () => {
  const items = ['mitigation', 'detection-strategy'].map((type) => ({
    name: 'Deception',
    type,
    related_techniques: ['TA0007:T1046'],
  }))
  const made = await call('PUT', '', 201, items)
  const ids = made.data.map(({ id }: { id: number }) => id)
  const { data } = await call('GET', `/relationships?filter[defense]=${ids[0]}&filter[defense]=${ids[1]}`, 200)
  assert.deepEqual(data.map(({ type }: { type: string }) => type).sort(), ['detects', 'mitigates'])
  const twice = await call('PUT', '', 400, [...items, items[0]])
  assert.deepEqual(details(twice), ['[0] and [2] have the same type and name.'])
  assert.equal((await call('POST', '', 409, items[0])).length, 1)
})

test('every wrong reference of a defense is named', async () => {
  const wrong = {
    name: 'Wrong',
    type: 'mitigation',
    related_techniques: ['TA0001:T1566', 'T1566', 'TA0001', 'TA0001:T9999'],
  }
  assert.deepEqual(details(await call('POST', '', 400, wrong)), [
    "related_techniques[1]: 'T1566' is a technique without its tactic. Use TA0001:T1566",
    "related_techniques[2]: 'TA0001' is a tactic, not a technique",
    "related_techniques[3]: there is no attack node 'TA0001:T9999'",
  ])
  const right = { name: 'Right', type: 'mitigation' }
  const many = await call('PUT', '', 400, [right, { ...right, name: 'W', related_techniques: ['T1566'] }])
  assert.match(details(many)[0] ?? '', /^\[1\]\.related_techniques\[0\]: 'T1566'/)
  const unknown = await call('PUT', '', 400, [
    right,
    { ...right, name: 'W', related_defenses: [999_999], source_defenses: [999_998] },
  ])
  assert.deepEqual(details(unknown), [
    "[1].related_defenses: there is no '999999' in attack_defenses.",
    "[1].source_defenses: there is no '999998' in attack_defenses.",
  ])
  const { id } = await create(right)
  assert.match(
    details(await call('PATCH', `/${id}`, 400, { related_defenses: [id] }))[0] ?? '',
    /cannot refer to itself/,
  )
  assert.equal(await countOf('filter[name]=W'), 0)
})

test('deleting an own defense deletes its relationships and its status', async () => {
  const { id } = await create({ name: 'Gone', type: 'mitigation', related_techniques: ['TA0001:T1566'] })
  await call('PUT', '/statuses', 201, [{ defense: id, status: 'done', score: 4 }])
  await call('DELETE', `/${id}`, 204)
  for (const path of ['relationships', 'statuses'])
    assert.equal((await call('GET', `/${path}?filter[defense]=${id}`, 200)).total_count, 0)
})

test('history says who linked a defense to a technique', async () => {
  const { id } = await create({ name: 'Traced', type: 'mitigation', related_techniques: ['TA0001:T1566'] })
  const { rows } = await corvus.pool.query(
    `select resource, kind, details -> $1 as details from changes where details ? $1 and resource = 'attack_defenses' order by id`,
    [String(id)],
  )
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['create', 'link'],
  )
  assert.deepEqual(rows[1].details, { related_techniques: [null, ['TA0001:T1566']] })
})

test('reading and writing defenses needs the permissions of attack frameworks', async () => {
  const reader = await corvus.tokenFor(['read attack'])
  for (const path of ['', '/relationships', '/inner-relationships', '/statuses', '/log-sources']) {
    assert.equal((await corvus.call('GET', `attack-defenses${path}?limit=1`, undefined, reader)).status, 200)
    const refused = await corvus.call('PUT', `attack-defenses${path}`, { data: [] }, reader)
    assert.deepEqual(details(refused.body), ['Missing permissions: [modify attack]'])
  }
})
