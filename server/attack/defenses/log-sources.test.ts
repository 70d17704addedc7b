import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BASE, type Method, startApp } from '../../../test/app.ts'
import { type Defended, needsOf, partsOf, readDefended } from '../../../test/set-up/defended.ts'

const statements: string[] = []
const corvus = await startApp((statement) => {
  // Authentication and the audit trail run statements of their own now and then.
  if (/\blog_sources\b/.test(statement)) statements.push(statement)
})
after(() => corvus.stop())

const details = (body: readonly { detail: string }[]) => body.map(({ detail }) => detail)

/** Calls a path below the defenses and checks the status. */
async function call(method: Method, path: string, status: number, data?: unknown) {
  const body = data === undefined ? undefined : { data }
  const answer = await corvus.call(method, `attack-defenses${path}`, body)
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

interface LogSource {
  readonly id: number
  readonly name: string
  readonly channel: string
  readonly analytics: number
  readonly techniques: number
}

const list = async (query: string): Promise<LogSource[]> => (await call('GET', `/log-sources?${query}`, 200)).data

async function all(query = ''): Promise<LogSource[]> {
  const rows = [await list(`limit=2000&${query}`), await list(`limit=2000&offset=2000&${query}`)]
  return rows.flat()
}

/** How many analytics need each log source, and how many techniques these detect. */
function countsIn(defended: Defended): Map<number, [analytics: number, techniques: number]> {
  const names = new Map(defended.techniques.map(({ id, external_id }) => [id, external_id]))
  const parts = partsOf(defended)
  const detected = new Map<number, Set<string>>()
  for (const { defense, technique, type } of defended.relationships)
    for (const part of type === 'detects' ? parts(defense) : [])
      detected.set(part, (detected.get(part) ?? new Set()).add(names.get(technique) ?? ''))
  const users = new Map(defended.logSources.map(({ id }): [number, number[]] => [id, []]))
  for (const [analytic, needed] of needsOf(defended)) for (const id of needed) users.get(id)?.push(analytic)
  return new Map(
    [...users].map(([id, analytics]) => [
      id,
      [analytics.length, new Set(analytics.flatMap((each) => [...(detected.get(each) ?? [])])).size],
    ]),
  )
}

test('every log source has the numbers of its analytics and of the techniques that they detect', async () => {
  const expected = countsIn(await readDefended(corvus.db))
  const rows = await all()
  assert.equal(rows.length, expected.size)
  assert.ok(rows.length > 2000)
  for (const { id, analytics, techniques } of rows)
    assert.deepEqual([analytics, techniques], expected.get(id), String(id))
})

test('lists that are sorted by a number have the same numbers, in their order', async () => {
  const byId = new Map((await all()).map((row) => [row.id, row]))
  for (const name of ['analytics', 'techniques'] as const) {
    const rows = await all(`sort=-${name}`)
    assert.equal(rows.length, byId.size)
    assert.deepEqual(
      rows,
      [...byId.values()].toSorted((a, b) => b[name] - a[name] || b.id - a.id),
    )
    for (const row of rows) assert.equal(row[name], byId.get(row.id)?.[name])
  }
})

test('a list takes the same number of statements for any number of log sources', async () => {
  const counted = async (limit: number) => {
    const before = statements.length
    await list(`limit=${limit}`)
    return statements.length - before
  }
  const few = await counted(2)
  assert.ok(few > 0)
  assert.equal(await counted(1000), few)
})

test('log sources are filtered by domain, name and whether they are collected', async () => {
  const { rows } = await corvus.pool.query(`
    select count(distinct (i.name, i.channel))::integer as count
    from defense_inner_relationships as i join attack_defenses as d on d.id = i.from_defense
    where i.type = 'log-source-references' and 'ics-attack' = any(d.domains)`)
  assert.equal((await all('filter[domains]=ics-attack')).length, rows[0].count)
  assert.ok((await list('filter[name]=WinEventLog:Security')).every(({ name }) => name === 'WinEventLog:Security'))
  assert.equal((await list('filter[is_collected]=true')).length, 0)
})

test('log sources are marked as collected one by one, and many at once by name and channel', async () => {
  const [first, second, third] = await list('limit=3&sort=-analytics')
  assert.ok(first && second && third)
  const me = (await corvus.call('GET', 'users/self')).body.data.id
  const change = { is_collected: true, owner: me, note: 'All clients', review_at: '2027-01-31' }
  const { data } = await call('PATCH', `/log-sources/${first.id}`, 200, change)
  const shown = { ...change, owner: `${BASE}/api/v2/users/${me}`, review_at: '2027-01-31T00:00:00.000000+00:00' }
  assert.partialDeepStrictEqual(data, { ...shown, name: first.name, analytics: first.analytics })
  const items = [second, third].map(({ name, channel }) => ({ name, channel, is_collected: true }))
  const put = await call('PUT', '/log-sources', 200, items)
  assert.deepEqual(
    put.data.map(({ id }: LogSource) => id),
    [second.id, third.id],
  )
  assert.equal((await list('filter[is_collected]=true')).length, 3)
  const { data: again } = await call('PUT', '/log-sources', 200, [{ name: first.name, channel: first.channel }])
  assert.equal(again[0].is_collected, true, 'what is not sent stays')
})

test('log sources that analytics need can neither be deleted nor renamed', async () => {
  const [source] = await list('limit=1&sort=-analytics')
  assert.ok(source)
  const { id, name, channel, analytics } = source
  const refusal = (end: string) =>
    `'${name}' with the channel '${channel}' is needed by ${analytics} analytics and cannot be ${end}.`
  assert.deepEqual(details(await call('DELETE', `/log-sources/${id}`, 409)), [refusal('deleted')])
  for (const change of [{ name: 'Other' }, { channel: 'other' }, { channel: null }])
    assert.deepEqual(details(await call('PATCH', `/log-sources/${id}`, 409, change)), [refusal('renamed')])
  await call('PATCH', `/log-sources/${id}`, 200, { name, channel, note: 'Sent back' })
})

test('own log sources can be created, renamed and deleted until something refers to them', async () => {
  const { data } = await call('POST', '/log-sources', 201, { name: 'Own proxy' })
  assert.partialDeepStrictEqual(data, { channel: '', is_collected: false, analytics: 0, techniques: 0 })
  assert.equal((await call('PUT', '/log-sources', 200, [{ name: 'Own proxy', note: 'x' }])).data[0].id, data.id)
  await call('PATCH', `/log-sources/${data.id}`, 200, { channel: 'access' })
  const component = (await call('POST', '', 201, { type: 'data-component', name: 'Requests' })).data.id
  const analytic = (await call('POST', '', 201, { type: 'analytic', name: 'Beacons' })).data.id
  const item = { from_defense: analytic, to_defense: component, type: 'log-source-references', name: 'Own proxy' }
  const { data: made } = await call('POST', '/inner-relationships', 201, { ...item, channel: 'access' })
  assert.equal((await list(`filter[id]=${data.id}`))[0]?.analytics, 1)
  const refused = await call('DELETE', '/log-sources', 409, [data.id])
  assert.deepEqual(details(refused), [
    "'Own proxy' with the channel 'access' is needed by 1 analytic and cannot be deleted.",
  ])
  await call('DELETE', `/inner-relationships/${made.id}`, 204)
  await call('DELETE', `/log-sources/${data.id}`, 204)
  await call('POST', '/inner-relationships', 201, { ...item, channel: 'access' })
  assert.equal((await list('filter[name]=Own proxy')).length, 1, 'a reference brings its log source')
})

test('the status of a defense is created and updated by its defense, also of a framework', async () => {
  const [first, second] = (await call('GET', '?filter[type]=mitigation&limit=2', 200)).data
  const made = await call('PUT', '/statuses', 201, [
    { defense: first.id, status: 'planned', note: 'Next year' },
    { defense: `${BASE}/api/v2/attack-defenses/${second.id}`, status: 'done', score: 4 },
  ])
  const address = `${BASE}/api/v2/attack-defenses/${first.id}`
  const expected = { defense: address, status: 'planned', score: 0, owner: null, note: 'Next year', review_at: null }
  assert.partialDeepStrictEqual(made.data[0], expected)
  const again = await call('PUT', '/statuses', 200, [{ defense: first.id, status: 'partial', score: 2 }])
  assert.partialDeepStrictEqual(again.data[0], { id: made.data[0].id, status: 'partial', score: 2, note: 'Next year' })
  await call('POST', '/statuses', 409, { defense: first.id })
  const found = await call('GET', `/statuses?filter[defense]=${first.id}&filter[>score]=1`, 200)
  assert.equal(found.total_count, 1)
  await call('DELETE', `/statuses/${made.data[0].id}`, 204)
})

test('every wrong value of a status is named', async () => {
  const wrong = { status: 'built', score: 5, review_at: 'soon' }
  const fields = details(await call('POST', '/statuses', 400, wrong)).map((detail) => detail.split(':')[0])
  assert.deepEqual(fields.sort(), ['data.defense', 'data.review_at', 'data.score', 'data.status'])
  const missing = await call('PUT', '/statuses', 400, [{ defense: 999_999 }])
  assert.deepEqual(details(missing), ["defense: there is no '999999' in attack_defenses."])
})

test('history says who changed a status, and from what', async () => {
  const [{ id }] = (await call('GET', '?filter[type]=mitigation&limit=1&offset=5', 200)).data
  const { data } = await call('POST', '/statuses', 201, { defense: id, status: 'planned' })
  await call('PATCH', `/statuses/${data.id}`, 200, { status: 'done', score: 4 })
  const address = `${BASE}/api/v2/attack-defenses/statuses/${data.id}`
  const { body } = await corvus.call('GET', `history-events?filter[object]=${address}&sort=-at`)
  assert.deepEqual(
    body.data.map(({ kind }: { kind: string }) => kind),
    ['update', 'create'],
  )
  assert.deepEqual(body.data[0].changes.status, { before: 'planned', after: 'done' })
})
