import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { catchUp, serverOf, untilReadable } from '../../../test/followers.ts'
import { configureMail, mailsTo, makeUser } from '../../../test/mail.ts'
import { startCounting } from '../../../test/set-up/counting.ts'
import { until } from '../../../test/until.ts'
import { openContent } from '../../mail/content.ts'
import { discoverEntities } from './discover-entities.ts'

type Item = Record<string, unknown>

let corvus: Awaited<ReturnType<typeof startApp>>
let self: number
before(async () => {
  corvus = await startApp()
  await configureMail(corvus, 25)
  self = (await corvus.call('GET', 'users/self')).body.data.id
  await corvus.pool.query(`update users set email = 'self@example.org' where id = $1`, [self])
})
after(() => corvus.stop())

async function make(path: string, data: Item, token = corvus.admin) {
  const { status, body } = await corvus.call('POST', path, { data }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

let counter = 0

const rule = (rest: Item, token?: string) =>
  make('discovery-rules', { name: `Rule ${++counter}`, is_active: true, ...rest }, token)

const report = (title: string, rest: Item = {}) => ({ data: { type: 'report', title }, ...rest })

async function put(items: Item[]): Promise<{ id: string }[]> {
  const { status, body } = await corvus.call('PUT', 'entities', { data: items })
  assert.ok(status < 300, JSON.stringify(body))
  return body.data
}

async function follow(): Promise<void> {
  await untilReadable(corvus.db)
  await catchUp(await serverOf(corvus), discoverEntities)
}

const hits = async (token?: string) => (await corvus.call('GET', 'discovery-rules/hits', undefined, token)).body.data

const hitsOf = async ({ name }: Item, token?: string) =>
  (await hits(token)).filter((hit: { name: string }) => hit.name === name)

/** A user who may read rules and entities, with an address. */
async function person(permissions = ['discovery-rules', 'entities', 'workspaces']) {
  const token = await corvus.tokenFor(permissions.map((thing) => `read ${thing}`))
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  await corvus.call('PATCH', `users/${id}`, { data: { email: `person-${id}@example.org` } })
  return { id: Number(id), token }
}

/** What was mailed to a user, oldest first. */
async function mailed(user: number): Promise<string[]> {
  const { rows } = await corvus.pool.query('select content from mails where "user" = $1 order by id', [user])
  const { vault } = await serverOf(corvus)
  return rows.flatMap(({ content }) => {
    const opened = openContent({ vault }, content)
    return opened && 'news' in opened ? opened.news.map(({ text }) => text) : []
  })
}

test('hits of a batch are one notification with the titles, and each is counted once', async () => {
  const made = await rule({ keywords: ['dunlin'] })
  const written = await put([...Array(7).keys()].map((n) => report(`Dunlin ${n}`)))
  await put([report('A knot')])
  await follow()
  const [hit, ...others] = await hitsOf(made)
  assert.deepEqual([others, hit.count, hit.entities.length], [[], 7, 5])
  assert.equal(hit.rule.split('/').at(-1), String(made.id))
  const titles = hit.entities.map(({ title }: { title: string }) => title)
  assert.ok(titles.every((title: string) => /^Dunlin \d$/.test(title)))
  const [text, ...more] = await mailed(self)
  assert.deepEqual(more, [])
  assert.match(String(text), /^The discovery rule ‘Rule 1’ found 7 entities: (‘Dunlin \d’(, )?){5} and 2 more\.$/)
  await corvus.call('PATCH', `entities/${written[0]?.id}`, { data: { meta: { tags: ['seen'] } } })
  await follow()
  assert.equal((await hitsOf(made)).length, 1)
  assert.equal((await mailed(self)).length, 1)
})

test('an entity that matches only after a PATCH is a hit', async () => {
  const made = await rule({ search_query: 'meta.tags:sanderling' })
  const [written] = await put([report('By the sea')])
  await follow()
  assert.deepEqual(await hitsOf(made), [])
  await corvus.call('PATCH', `entities/${written?.id}`, { data: { meta: { tags: ['sanderling'] } } })
  await follow()
  assert.deepEqual(
    (await hitsOf(made)).map(({ count, entities }: Item) => [count, (entities as Item[])[0]?.title]),
    [[1, 'By the sea']],
  )
  assert.equal((await mailed(self)).at(-1), `The discovery rule ‘${made.name}’ found an entity: ‘By the sea’.`)
})

test('an entity to which an observable is added is a hit of a rule about the observable', async () => {
  const made = await rule({ search_query: 'extracts.value:"late.example"' })
  const [added, patched, other] = await put([report('Added'), report('Patched'), report('Other')])
  await follow()
  await make('observables', { type: 'domain', value: 'late.example', entities: [added?.id] })
  await follow()
  await corvus.call('PATCH', `entities/${patched?.id}`, {
    data: { observables: [{ type: 'domain', value: 'late.example' }] },
  })
  await corvus.call('PATCH', `entities/${other?.id}`, {
    data: { observables: [{ type: 'domain', value: 'another.example' }] },
  })
  await follow()
  const titles = (await hitsOf(made)).flatMap(({ entities }: { entities: Item[] }) =>
    entities.map(({ title }) => title),
  )
  assert.deepEqual(titles.sort(), ['Added', 'Patched'])
  assert.equal((await mailed(self)).filter((text) => text.includes(made.name)).length, 2)
})

test('entities that were written before the rule are not hits, those that a rescan finds before the follower are', async () => {
  await put([report('Turnstone old')])
  const made = await rule({ keywords: ['turnstone'] })
  const [fresh] = await put([report('Turnstone new')])
  // As a rescan stores them.
  await corvus.pool.query(
    `insert into discovered_entities (source, target, discovered_at)
    select $1, id, clock_timestamp() from entities where data ->> 'title' like 'Turnstone%'`,
    [made.id],
  )
  await follow()
  const found = await hitsOf(made)
  assert.deepEqual(
    found.map(({ count, entities }: Item) => [
      count,
      String((entities as Item[])[0]?.entity)
        .split('/')
        .at(-1),
    ]),
    [[1, fresh?.id]],
  )
  assert.equal((await corvus.call('GET', `discovery-rules/${made.id}`)).body.data.discovered_count, 2)
})

test('the members of the workspaces of a rule are notified of what they see, and nobody else', async () => {
  const [collaborator, member, bystander, unable] = [
    await person(),
    await person(),
    await person(),
    await person(['discovery-rules', 'workspaces']),
  ]
  const hidden = await make('groups', { name: 'Rookery', users: [self] })
  const group = await make('groups', { name: 'Watch', users: [member.id], sources: [] })
  const workspace = await make('workspaces', {
    name: 'Waders',
    collaborators: [collaborator.id, unable.id],
    groups: [group.id],
  })
  const made = await rule({ keywords: ['ruff'], workspaces: [workspace.id] })
  await put([report('Ruff open'), report('Ruff shut', { sources: [hidden.source] })])
  await put([report('Ruff shut too', { sources: [hidden.source] })])
  await follow()
  assert.match(String((await mailed(self)).at(-1)), / found 3 entities: /)
  for (const { id, token } of [collaborator, member]) {
    assert.deepEqual(await mailed(id), [`The discovery rule ‘${made.name}’ found an entity: ‘Ruff open’.`])
    const found = await hits(token)
    assert.deepEqual([found.length, found[0].count, found[0].entities.length], [1, 1, 1])
    assert.ok(!JSON.stringify(found).includes('shut'))
  }
  for (const { id, token } of [bystander, unable]) {
    assert.deepEqual(await mailed(id), [])
    assert.deepEqual(await hits(token), [])
  }
  await put([report('Ruff shut three', { sources: [hidden.source] })])
  await follow()
  assert.equal((await mailed(collaborator.id)).length, 1)
})

test('a member who may not see the rule any more is not notified', async () => {
  const left = await person(['entities', 'workspaces'])
  const workspace = await make('workspaces', { name: 'Gulls', collaborators: [left.id] })
  await rule({ keywords: ['kittiwake'], workspaces: [workspace.id] })
  await put([report('Kittiwake')])
  await follow()
  assert.deepEqual(await mailed(left.id), [])
})

test('users who turned the notification off get no mail', async () => {
  const quiet = await person()
  const off = { data: { entity_discovered: false } }
  assert.equal((await corvus.call('PATCH', 'users/self/notifications', off, quiet.token)).status, 200)
  const workspace = await make('workspaces', { name: 'Quiet', collaborators: [quiet.id] })
  const made = await rule({ keywords: ['whimbrel'], workspaces: [workspace.id] })
  await put([report('Whimbrel')])
  await follow()
  assert.deepEqual(await mailed(quiet.id), [])
  assert.equal((await hitsOf(made, quiet.token)).length, 1)
})

test('a follower whose connection dies after its effects repeats them once', async () => {
  const made = await rule({ keywords: ['godwit'] })
  await put([report('Godwit')])
  await untilReadable(corvus.db)
  const before = (await mailsTo(corvus, self)).length
  const blocker = await corvus.pool.connect()
  await blocker.query('begin')
  await blocker.query('lock table mails in exclusive mode')
  const blocked = `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into mails%'`
  const stuck = catchUp(await serverOf(corvus), discoverEntities)
  await until(async () => (await corvus.pool.query(blocked)).rows.length > 0, 'it has not reached the mails')
  await corvus.pool.query(`select pg_terminate_backend(pid) from (${blocked}) as b`)
  await stuck
  await blocker.query('rollback')
  blocker.release()
  assert.deepEqual(await hitsOf(made), [])
  await corvus.pool.query(`update followers set next_attempt_at = now() where name = 'discovery-rules'`)
  await follow()
  await follow()
  assert.deepEqual(
    (await hitsOf(made)).map(({ count }: Item) => count),
    [1],
  )
  assert.equal((await mailsTo(corvus, self)).length, before + 1)
})

test('the number of statements depends neither on the number of rules nor on the number of entities', async () => {
  const watched = await startCounting()
  try {
    await configureMail(watched, 25)
    const server = await serverOf(watched)
    const role = (await watched.call('GET', 'roles?filter[name]=System Admin')).body.data[0].id
    await makeUser(watched, 'reader', { roles: [role] })
    const addRules = async (from: number, to: number) => {
      const data = [...Array(to).keys()].slice(from).map((n) => ({
        name: `Rule ${n}`,
        is_active: true,
        keywords: ['avocet', `bird-${n}`],
        search_query: `data.title:avo* OR extracts.value:host-${n}.example`,
      }))
      assert.equal((await watched.call('PUT', 'discovery-rules', { data })).status, 201)
    }
    const compare = async (name: string, count: number) => {
      await catchUp(server, discoverEntities)
      const data = [...Array(count).keys()].map((n) => report(`Avocet ${name} ${n}`))
      assert.ok((await watched.call('PUT', 'entities', { data })).status < 300)
      await untilReadable(watched.db)
      return watched.statementsOf(() => catchUp(server, discoverEntities))
    }
    await addRules(0, 2)
    const few = await compare('few', 2)
    await addRules(2, 50)
    assert.equal(await compare('many', 1000), few)
    const { rows } = await watched.pool.query('select count(*)::integer as count from discovered_entities')
    assert.deepEqual(rows, [{ count: 2 * 2 + 50 * 1000 }])
  } finally {
    await watched.stop()
  }
})
