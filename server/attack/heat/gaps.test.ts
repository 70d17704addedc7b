import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

const PHISHING = 'TA0001:T1566'
const LINK = 'TA0001:T1566.002'
const ATTACHMENT = 'TA0001:T1566.001'
const ENCRYPTION = 'TA0040:T1486'

before(async () => {
  const make = (title: string, attacks: string[]) => ({ data: { type: 'malware', title }, meta: { attacks } })
  const { status } = await corvus.call('PUT', 'entities', [
    make('one', [LINK, ENCRYPTION]),
    make('two', [LINK, PHISHING]),
    make('three', [LINK, ATTACHMENT]),
    make('four', [LINK, 'TA0001', 'TA0027:T1660']),
  ])
  assert.equal(status, 201)
  await build('LINK', LINK, 3)
  await build('ENCRYPTION', ENCRYPTION, 4)
})

/** Stores an own mitigation of a technique with a score. */
const build = (name: string, technique: string, score: number) =>
  sql`
    with defense as (insert into attack_defenses (type, name) values ('mitigation', ${name}) returning id),
    relationship as (
      insert into defense_relationships (defense, technique, type)
      select id, ${technique}, 'mitigates' from defense)
    insert into defense_statuses (defense, status, score) select id, 'partial', ${score} from defense`.execute(
    corvus.db,
  )

async function coverageOf(query = '') {
  const { status, body } = await corvus.call('GET', `attacks/coverage?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

interface Row {
  id: string
  threat: number
  share: number
  gap: number
}

const ranked = ({ data }: { data: Row[] }) => data.map(({ id, threat, share, gap }) => [id, threat, share, gap])

test('techniques are ranked by what threatens them and is not covered', async () => {
  const { data, at, ...rest } = await coverageOf()
  assert.deepEqual(ranked({ data }), [
    [LINK, 1, 0.75, 0.25],
    [PHISHING, 0.25, 0, 0.25],
    [ATTACHMENT, 0.25, 0, 0.25],
    [ENCRYPTION, 0.25, 1, 0],
  ])
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 600_000)
  assert.deepEqual(rest, {
    technique_count: 4,
    outside: [],
    total_count: 4,
    largest_score: 4,
    matrix: 'enterprise-attack',
    kind: 'all',
    aggregate: 'none',
  })
})

test('a technique says what there is against it, and which log sources are missing', async () => {
  const { data } = await coverageOf()
  const { missing_log_sources: missing, mitigations, detections, analytics, ...rest } = data[0]
  assert.ok(mitigations > 1 && detections === 1 && analytics > 0 && missing.length > 0)
  assert.deepEqual(rest, {
    id: LINK,
    count: 4,
    score: 4,
    threat: 1,
    possible_analytics: 0,
    best_score: 3,
    is_detectable: false,
    share: 0.75,
    gap: 0.25,
  })
  const { rows } = await sql<{ id: number }>`
    select id, name, channel from log_sources where id = any(${missing.map(({ id }: { id: number }) => id)}::integer[])
    order by id`.execute(corvus.db)
  assert.deepEqual(missing, rows)
})

test('techniques are listed with a gap, or with a share that they are then ranked by', async () => {
  assert.deepEqual(
    ranked(await coverageOf('kind=gap')).map(([id]) => id),
    [LINK, PHISHING, ATTACHMENT],
  )
  assert.deepEqual(
    ranked(await coverageOf('kind=coverage')).map(([id]) => id),
    [ENCRYPTION, LINK],
  )
  const first = await coverageOf('kind=gap&limit=1')
  assert.deepEqual([first.data.length, first.technique_count], [1, 3])
})

test('a technique whose sub-techniques are covered has a smaller gap', async () => {
  // Scores 4, 1 and 1, of which 1, 1 and 1 are not covered.
  assert.deepEqual(ranked(await coverageOf('aggregate=sum'))[0], [PHISHING, 1, 0.5, 0.5])
  assert.deepEqual(
    ranked(await coverageOf('aggregate=max')).find(([id]) => id === PHISHING),
    [PHISHING, 1, 0.75, 0.25],
  )
})

test('without entities nothing has a gap, and what is covered is listed', async () => {
  const { data, largest_score } = await coverageOf('query=data.title:nothing')
  assert.deepEqual(ranked({ data }), [
    [ENCRYPTION, 0, 1, 0],
    [LINK, 0, 0.75, 0],
  ])
  assert.equal(largest_score, 0)
  assert.deepEqual((await coverageOf('query=data.title:nothing&kind=gap')).data, [])
})

test('another matrix, or another scope, has other gaps', async () => {
  assert.deepEqual(ranked(await coverageOf('matrix=mobile-attack')), [['TA0027:T1660', 1, 0, 1]])
  assert.deepEqual(ranked(await coverageOf('query=data.title:two'))[0], [PHISHING, 1, 0, 1])
})

test('every wrong parameter is named', async () => {
  const wrong = 'matrix=x&by=source&kind=threat&limit=0&filter[no]=1'
  const { status, body } = await corvus.call('GET', `attacks/coverage?${wrong}`)
  assert.equal(status, 400)
  const named = body.map(({ detail }: { detail: string }) => /^[\w']+/.exec(detail)?.[0])
  assert.deepEqual(named.sort(), ["'no'", 'by', 'kind', 'limit', 'matrix'])
  const alone = await corvus.call('GET', 'attacks/coverage?half_life=5')
  assert.deepEqual(alone.body[0].detail, "half_life: needs by 'recency'")
  for (const limit of ['2001', '1e3', '-1', 'x'])
    assert.equal((await corvus.call('GET', `attacks/coverage?limit=${limit}`)).status, 400, limit)
})

test('coverage needs the permissions of a heat', async () => {
  const refusal = async (permissions: string[]) =>
    (await corvus.call('GET', 'attacks/coverage', undefined, await corvus.tokenFor(permissions))).body[0].detail
  assert.equal(await refusal(['read attack']), 'Missing permissions: [read entities]')
  assert.equal(await refusal(['read entities']), 'Missing permissions: [read attack]')
})
