import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

interface Event {
  readonly id: string
  readonly at: string
  readonly user: string | null
  readonly resource: string
  readonly kind: string
  readonly object: string
  readonly cause: unknown
  readonly changes: Record<string, unknown>
}

async function eventsOf(object: string | number, query = '', token?: string): Promise<Event[]> {
  const { status, body } = await corvus.call(
    'GET',
    `history-events?filter[object]=${encodeURIComponent(object)}${query}`,
    undefined,
    token,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const make = async (path: string, item: unknown, token?: string) => {
  const { status, body } = await corvus.call('POST', path, { data: item }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const url = (path: string) => `${BASE}/api/v2/${path}`

const indicator = (title: string, more = {}) => ({
  data: { type: 'indicator', title, id: `{https://x.test/}indicator-${crypto.randomUUID()}` },
  meta: { tags: ['a'] },
  ...more,
})

test('the history of an object has its creation, changes and deletion, field by field', async () => {
  const { id } = await make('tickets', { name: 'First', due_at: '2026-01-31T12:00:00Z', assignee: 1 })
  await corvus.call('PATCH', `tickets/${id}`, { name: 'Second', status: 'OPEN', assignee: null })
  await corvus.call('PUT', 'tickets', [{ name: 'Second', priority: 'LOW' }])
  assert.equal((await corvus.call('DELETE', `tickets/${id}`)).status, 204)
  const events = await eventsOf(url(`tickets/${id}`))
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['create', 'update', 'update', 'delete'],
  )
  const [made, changed, put, gone] = events.map(({ changes }) => changes)
  assert.deepEqual(made, {
    name: { before: null, after: 'First' },
    description: { before: null, after: '' },
    status: { before: null, after: 'OPEN' },
    due_at: { before: null, after: '2026-01-31T12:00:00.000000+00:00' },
    assignee: { before: null, after: url('users/1') },
  })
  assert.deepEqual(changed, {
    name: { before: 'First', after: 'Second' },
    assignee: { before: url('users/1'), after: null },
  })
  assert.deepEqual(put, { priority: { before: null, after: 'LOW' } })
  assert.deepEqual(gone?.priority, { before: 'LOW', after: null })
  assert.match(String(events[0]?.user), /\/api\/v2\/users\/\d+$/)
  assert.equal(events[0]?.object, url(`tickets/${id}`))
  assert.equal(events[0]?.resource, 'tickets')
  assert.equal((await corvus.call('GET', `history-events/${events[1]?.id}`)).body.data.changes.name.after, 'Second')
})

test('changes of links show removed and added ones, with the attribute of the link', async () => {
  const one = await make('users', { username: 'linked-one' })
  const two = await make('users', { username: 'linked-two' })
  const group = await make('groups', { name: 'Linked', users: [`${one.id}?role=admin`] })
  await corvus.call('PATCH', `groups/${group.id}`, { users: [two.id] })
  await corvus.call('DELETE', `groups/${group.id}/users/${two.id}`)
  const links = (await eventsOf(group.id, '&filter[resource]=groups')).flatMap(({ changes }) => changes.users ?? [])
  const [first, second] = [url(`users/${one.id}?role=admin`), url(`users/${two.id}?role=member`)]
  assert.deepEqual(
    links.filter((each) => (each as { added: string[] }).added.join().includes(`users/${one.id}`)),
    [{ removed: [], added: [first] }],
  )
  assert.deepEqual(links.slice(-3), [
    { removed: [first], added: [] },
    { removed: [], added: [second] },
    { removed: [second], added: [] },
  ])
})

test('the history shows only that a secret changed', async () => {
  const { id } = await make('users', { username: 'secretive', password: 'Long enough 1!' })
  await corvus.call('PATCH', `users/${id}`, { password: 'Longer than that 2!', firstname: 'Ada' })
  const [, changed] = await eventsOf(url(`users/${id}`))
  assert.deepEqual(changed?.changes, {
    password: { before: '<PASS_THROUGH_TOKEN>', after: '<PASS_THROUGH_TOKEN>' },
    firstname: { before: '', after: 'Ada' },
  })
  const { rows } = await corvus.pool.query(`select string_agg(details::text, ' ') as all from changes`)
  assert.ok(!rows[0].all.includes('$argon2') && !rows[0].all.includes('Long enough 1!'))
})

test('values of entities come from their versions, even if attachments were added in between', async () => {
  const entity = await make('entities', indicator('Before'))
  await make('entities/attachments', { data: 'eA==', filename: 'x', entities: [entity.id] })
  await corvus.call('PATCH', `entities/${entity.id}`, { data: { title: 'Between' }, meta: { tags: ['a', 'b'] } })
  await make('entities/attachments', { data: 'eQ==', filename: 'y', entities: [entity.id] })
  await corvus.call('PATCH', `entities/${entity.id}`, { data: { title: 'After' } })
  const events = (await eventsOf(entity.id)).filter(({ changes }) => 'data.title' in changes)
  assert.deepEqual(
    events.map(({ kind, changes }) => [kind, changes['data.title'], changes['meta.tags'] ?? null]),
    [
      ['update', { before: 'Before', after: 'Between' }, { before: ['a'], after: ['a', 'b'] }],
      ['update', { before: 'Between', after: 'After' }, null],
    ],
  )
  const plain = await make('entities', indicator('Plain'))
  const [made] = await eventsOf(plain.id)
  assert.deepEqual(made?.changes['data.title'], { before: null, after: 'Plain' })
  assert.deepEqual(made?.changes.sources, { removed: [], added: plain.sources })
})

test('a bulk write is one event per object, and all can be read in pages', async () => {
  const items = Array.from({ length: 25 }, (_, i) => indicator(`Bulk ${i}`))
  const { body } = await corvus.call('PUT', 'entities', items)
  const ids: string[] = body.data.map(({ id }: { id: string }) => id)
  const [first] = await eventsOf(ids[0] ?? '')
  const query = `history-events?filter[%3E%3Dat]=${encodeURIComponent(first?.at ?? '')}&filter[resource]=entities&limit=10`
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { total_count: number; data: Event[]; cursor: string | null } = (
      await corvus.call('GET', `${query}${cursor && `&page[cursor]=${cursor}`}`)
    ).body
    assert.equal(page.total_count, 25)
    seen.push(...page.data.map(({ object }: Event) => object.split('/').at(-1) ?? ''))
    cursor = page.cursor
  }
  assert.deepEqual(seen.toSorted(), ids.toSorted())
  const newest = (await corvus.call('GET', `${query}&sort=-at`)).body.data
  assert.equal(newest.length, 10)
})

test('configurations have events, for users who may read them', async () => {
  await corvus.call('PATCH', 'configurations/server', { data: { server_name: 'Raven' } })
  const [event] = await eventsOf(url('configurations/server'))
  assert.equal(event?.object, url('configurations/server'))
  assert.deepEqual(event?.changes.server_name, { before: 'Corvus', after: 'Raven' })
  assert.deepEqual(await eventsOf(url('configurations/server'), '', await corvus.tokenFor(['read history-events'])), [])
  assert.deepEqual(await eventsOf(url('nowhere/server')), [])
})

test('relationships, observables and taxonomies have changes by field', async () => {
  const [source, target] = [await make('entities', indicator('From')), await make('entities', indicator('To'))]
  const ends = { source: source.id, target: target.id }
  const relationship = await make('relationships', {
    data: { ...ends, key: 'related-to', description: 'before' },
    sources: source.sources,
  })
  const sent = { data: { ...ends, key: 'related-to', description: 'after' }, sources: source.sources }
  await corvus.call('PUT', 'relationships', [{ id: relationship.id, ...sent }])
  const data = (await eventsOf(relationship.id)).at(-1)?.changes.data as Record<'before' | 'after', object>
  assert.deepEqual(data, {
    before: { key: 'related-to', description: 'before' },
    after: { key: 'related-to', description: 'after' },
  })
  const observable = await make('observables', { type: 'domain', value: 'history.example' })
  await corvus.call('PATCH', `observables/${observable.id}`, { meta: { maliciousness: 'high' } })
  assert.deepEqual((await eventsOf(url(`observables/${observable.id}`))).at(-1)?.changes, {
    meta: { before: { maliciousness: 'unknown' }, after: { maliciousness: 'high' } },
  })
  const [root, leaf] = await make('taxonomies', { path: ['History', 'Leaf'] })
  await corvus.call('PATCH', `taxonomies/${leaf.id}`, { name: 'Twig', description: 'words', parent: null })
  const events = await eventsOf(url(`taxonomies/${leaf.id}`))
  assert.deepEqual(events[0]?.changes, { path: { before: null, after: ['History', 'Leaf'] } })
  assert.deepEqual(Object.assign({}, ...events.slice(1).map(({ changes }) => changes)), {
    name: { before: 'Leaf', after: 'Twig' },
    parent: { before: url(`taxonomies/${root.id}`), after: null },
    description: { before: '', after: 'words' },
  })
})

test('an observable that comes with an entity has a history of its own', async () => {
  const observable = { type: 'domain', value: 'came-with-an-entity.example' }
  const entity = await make('entities', indicator('Carrier', { observables: [observable] }))
  const found = entity.observables[0]
  await make('entities', indicator('Accuser', { observables: [{ ...observable, maliciousness: 'high' }] }))
  await make('entities', indicator('Silent', { observables: [observable] }))
  assert.deepEqual(
    (await eventsOf(found)).map(({ kind }) => kind),
    ['create', 'update', 'update'],
  )
})

test('the history shows only that a secret of a configuration changed', async () => {
  const mail = { from_email: 'a@example.org', reply_to: 'a@example.org', password: 'open sesame' }
  await corvus.call('PUT', 'configurations/email', mail)
  await corvus.call('PATCH', 'configurations/email', { password: 'other words' })
  await corvus.call('PATCH', 'configurations/email', { password: null })
  const changes = (await eventsOf(url('configurations/email'))).map((event) => event.changes.password)
  const token = '<PASS_THROUGH_TOKEN>'
  assert.deepEqual(
    changes.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    [
      { before: null, after: token },
      { before: token, after: null },
      { before: token, after: token },
    ].toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
  )
})

test('invalid filters are refused and named', async () => {
  const { status, body } = await corvus.call('GET', 'history-events?filter[>at]=never&filter[colour]=red')
  assert.equal(status, 400)
  assert.equal(body.length, 2)
  assert.equal((await corvus.call('POST', 'history-events', {})).status, 405)
})

test('an automation is named as the cause of its changes, and which one only to those who may read it', async () => {
  const { id } = await make('tickets', { name: 'Caused' })
  const kept = (await eventsOf(url(`tickets/${id}`))).map(({ cause }) => cause)
  assert.deepEqual(kept, [null])
  await corvus.pool.query(
    `insert into changes (user_id, cause_kind, cause_id, cause_depth, resource, kind, ids, details)
    values (1, 'attack-upgrade', '7', 1, 'tickets', 'update', array[$1::text], '{}')`,
    [id],
  )
  const causeFor = async (token?: string) => (await eventsOf(url(`tickets/${id}`), '&sort=-at', token))[0]?.cause
  assert.deepEqual(await causeFor(), { kind: 'attack-upgrade', id: '7' })
  const token = await corvus.tokenFor(['read history-events', 'read tickets', 'read audit-trail'])
  assert.deepEqual(await causeFor(token), { kind: 'attack-upgrade', id: null })
})
