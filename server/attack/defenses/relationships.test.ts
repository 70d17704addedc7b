import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BASE, type Method, startApp } from '../../../test/app.ts'
import { readFacts } from '../frameworks/ship-facts.ts'
import { storeFramework } from '../frameworks/store-framework.ts'

const corvus = await startApp()
after(() => corvus.stop())

const details = (body: readonly { detail: string }[]) => body.map(({ detail }) => detail)

/** Calls a path below the defenses and checks the status. */
async function call(method: Method, path: string, status: number, data?: unknown) {
  const body = data === undefined ? undefined : { data }
  const answer = await corvus.call(method, `attack-defenses${path}`, body)
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const countOf = async (path: string, filters: string) =>
  (await call('GET', `${path}?limit=1&${filters}`, 200)).total_count
const defense = async (type: string, name: string) => (await call('POST', '', 201, { type, name })).data.id as number

test('relationships are counted by type and matrix as the publisher counts them', async () => {
  const inMatrix = (type: string) => countOf('/relationships', `filter[type]=${type}&filter[matrix]=ics-attack`)
  // ICS has no sub-techniques, and some of its techniques are in several places.
  assert.ok((await inMatrix('mitigates')) >= 331)
  assert.equal(await inMatrix('detects'), 94)
  assert.equal(await countOf('/relationships', 'filter[domains]=DISARM'), 0)
  const inner = (type: string) => countOf('/inner-relationships', `filter[type]=${type}`)
  assert.ok((await inner('analytic-references')) > 1900 && (await inner('log-source-references')) > 4000)
})

test('relationships of frameworks cannot be changed, upserted or deleted', async () => {
  const cases = [
    ['/relationships', 'Defense relationship', { description: 'Mine' }],
    ['/inner-relationships', 'Defense inner relationship', { name: 'Mine' }],
  ] as const
  for (const [path, title, change] of cases) {
    const [row] = (await call('GET', `${path}?limit=1`, 200)).data
    assert.equal(row.is_system, true)
    const refusal = [`${title} ${row.id} belongs to an attack framework and cannot be changed or deleted.`]
    assert.deepEqual(details(await call('PATCH', `${path}/${row.id}`, 409, change)), refusal)
    assert.deepEqual(details(await call('PUT', path, 409, [{ ...row, description: 'Mine' }])), refusal)
    assert.deepEqual(details(await call('DELETE', `${path}/${row.id}`, 409)), refusal)
    assert.deepEqual((await call('GET', `${path}/${row.id}`, 200)).data, row)
    await call('POST', path, 409, row)
  }
})

test('own relationships are created, upserted, changed and deleted, also of defenses of frameworks', async () => {
  const [system] = (await call('GET', '?filter[type]=mitigation&limit=1', 200)).data
  const technique = `${BASE}/api/v2/attacks/TA01:T0074`
  const item = { defense: `${BASE}/api/v2/attack-defenses/${system.id}`, technique, type: 'mitigates' }
  const { data } = await call('POST', '/relationships', 201, item)
  assert.partialDeepStrictEqual(data, { ...item, description: '', is_system: false })
  const many = [item, { ...item, technique: 'TA01:T0073' }].map((each) => ({ ...each, description: 'Ours' }))
  const put = await call('PUT', '/relationships', 201, many)
  assert.deepEqual([put.data[0].id, put.data[0].description], [data.id, 'Ours'])
  const moved = await call('PATCH', `/relationships/${data.id}`, 200, { technique: 'TA02:T0002' })
  assert.equal(moved.data.technique, `${BASE}/api/v2/attacks/TA02:T0002`)
  assert.equal(await countOf('/relationships', 'filter[domains]=DISARM'), 2)
  await call('DELETE', '/relationships', 204, [put.data[0].id, put.data[1].id])
})

test('a relationship leads to a technique in one of its places', async () => {
  const id = await defense('mitigation', 'Anywhere')
  const refusals = {
    T1566: "technique: 'T1566' is a technique without its tactic. Use TA0001:T1566",
    TA0001: "technique: 'TA0001' is a tactic, not a technique",
    'TA0001:T9999': "technique: there is no attack node 'TA0001:T9999'",
  }
  for (const [technique, refusal] of Object.entries(refusals)) {
    const item = { defense: id, technique, type: 'mitigates' }
    assert.deepEqual(details(await call('POST', '/relationships', 400, item)), [refusal])
    const right = { ...item, technique: 'TA0001:T1566' }
    assert.deepEqual(details(await call('PUT', '/relationships', 400, [right, item])), [`[1].${refusal}`])
  }
  const missing = { defense: 999_999, technique: 'TA0001:T1566', type: 'mitigates' }
  assert.match(details(await call('POST', '/relationships', 400, missing))[0] ?? '', /^defense: there is no '999999'/)
  const wrong = await call('POST', '/relationships', 400, { type: 'uses' })
  assert.equal(wrong.length, 3, 'all fields are named')
})

test('only references to log sources have a name and a channel', async () => {
  const [analytic, component] = [await defense('analytic', 'Own'), await defense('data-component', 'Own')]
  const item = {
    from_defense: analytic,
    to_defense: component,
    type: 'analytic-references',
    name: 'Proxy',
    channel: 'x',
  }
  const both = ['name: only log-source-references have one', 'channel: only log-source-references have one']
  assert.deepEqual(details(await call('POST', '/inner-relationships', 400, item)), both)
  const plain = { ...item, name: undefined, channel: null }
  const { data } = await call('POST', '/inner-relationships', 201, plain)
  assert.deepEqual([data.name, data.channel], ['', ''])
  const put = await call('PUT', '/inner-relationships', 200, [plain])
  assert.equal(put.data[0].id, data.id, 'an upsert finds it without a name')
  assert.deepEqual(
    details(await call('PATCH', `/inner-relationships/${data.id}`, 400, { name: 'Proxy' })),
    both.slice(0, 1),
  )
  const named = { type: 'log-source-references', name: 'Proxy', channel: 'x' }
  assert.partialDeepStrictEqual((await call('PATCH', `/inner-relationships/${data.id}`, 200, named)).data, named)
  const self = { ...item, ...named, to_defense: analytic }
  const refused = await call('PUT', '/inner-relationships', 400, [{ ...item, ...named, name: 'Other' }, self])
  assert.deepEqual(details(refused), ['[1].to_defense: a defense cannot refer to itself'])
})

test('own defenses and relationships survive a new version of the framework', async () => {
  const id = await defense('mitigation', 'Lasting')
  const [system] = (await call('GET', '?filter[external_id]=M1031', 200)).data
  const item = { technique: 'TA0043:T1595', type: 'mitigates' }
  const made = await call(
    'PUT',
    '/relationships',
    201,
    [system.id, id].map((defense) => ({ ...item, defense })),
  )
  const [analytic] = (await call('GET', '?filter[type]=analytic&limit=1', 200)).data
  const inner = { from_defense: id, to_defense: analytic.id, type: 'analytic-references' }
  const { data: reference } = await call('POST', '/inner-relationships', 201, inner)
  const [enterprise] = await readFacts()
  assert.ok(enterprise)
  await corvus.db.transaction().execute((db) => {
    const next = { ...enterprise, defenses: enterprise.defenses.slice(1) }
    return storeFramework(db as never, next, { version: '99', hash: null, user: null })
  })
  for (const { id } of made.data) await call('GET', `/relationships/${id}`, 200)
  await call('GET', `/inner-relationships/${reference.id}`, 200)
  assert.equal((await call('GET', `/${id}`, 200)).data.is_system, false)
  // The defense that the new version lacks is kept without a domain.
  const gone = enterprise.defenses[0]?.stix_id
  const [kept] = (await call('GET', `?filter[stix_id]=${gone}`, 200)).data
  assert.deepEqual([kept.domains.includes('enterprise-attack'), kept.is_system], [false, true])
})
