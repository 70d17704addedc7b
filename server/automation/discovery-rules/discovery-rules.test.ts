import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { BASE } from '../../../test/app.ts'
import { corvus, endOf } from '../../../test/set-up/exporting.ts'

type Item = Record<string, unknown>

let counter = 0

async function make(rule: Item, token = corvus.admin) {
  const data = { name: `Rule ${++counter}`, is_active: true, ...rule }
  const { status, body } = await corvus.call('POST', 'discovery-rules', { data }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

async function put(items: Item[], token = corvus.admin): Promise<{ id: string }[]> {
  const { status, body } = await corvus.call('PUT', 'entities', { data: items }, token)
  assert.ok(status < 300, JSON.stringify(body))
  return body.data
}

const report = (title: string, { description = '', ...meta }: Item = {}, type = 'report') => ({
  data: { type, title, description },
  meta,
})

const found = async ({ id }: Item, token?: string): Promise<Item> =>
  (await corvus.call('GET', `discovery-rules/${id}`, undefined, token)).body.data

/** The result of the latest run, which a change of the rule has started. */
async function rescan(rule: Item): Promise<Item> {
  const id = String(rule.task).split('/').at(-1)
  const { body } = await corvus.call('GET', `tasks/runs?filter[task]=${id}&sort=-created_at&limit=1`)
  return endOf(`/api/v2/tasks/runs/${body.data[0].id}`)
}

async function run(rule: Item): Promise<Item> {
  await rescan(rule)
  const { body } = await corvus.call('POST', 'tasks/runs', { data: { task: rule.task } })
  return endOf(`/api/v2/tasks/runs/${body.data.id}`)
}

test('a rule has defaults and a task that is deleted with it', async () => {
  const made = await make({ keywords: ['crane'] })
  assert.partialDeepStrictEqual(made, {
    description: null,
    match_keywords_in: ['title', 'tags', 'description'],
    entity_types: [],
    search_query: null,
    sources: [],
    workspaces: [],
    execution_schedule: null,
    problem: null,
    last_discovered_at: null,
    discovered_count: 0,
    entities: [],
    external_url: `${BASE}/discovery-rules/${made.id}`,
  })
  const task = new URL(made.task).pathname
  const { data } = (await corvus.call('GET', task)).body
  assert.partialDeepStrictEqual(data, {
    name: `Discovery rule: ${made.name}`,
    is_active: true,
    parameters: { rule: made.id },
  })
  assert.equal(data.next_run_at, null)
  const scheduled = { execution_schedule: { interval: 3600 } }
  await corvus.call('PATCH', `discovery-rules/${made.id}`, { data: scheduled })
  assert.notEqual((await corvus.call('GET', task)).body.data.next_run_at, null)
  await corvus.call('PATCH', `discovery-rules/${made.id}`, { data: { is_active: false, name: 'Renamed' } })
  const changed = (await corvus.call('GET', task)).body.data
  assert.deepEqual([changed.name, changed.is_active, changed.next_run_at], ['Discovery rule: Renamed', false, null])
  assert.equal((await corvus.call('DELETE', `discovery-rules/${made.id}`)).status, 204)
  assert.equal((await corvus.call('GET', task)).status, 404)
})

test('every invalid field is named, and a rule that would find everything is refused', async () => {
  const bad = { name: '', keywords: [''], match_keywords_in: ['body'], entity_types: ['tune'], search_query: 'a:(' }
  const { status, body } = await corvus.call('POST', 'discovery-rules', { data: bad })
  assert.equal(status, 400)
  const paths = body.map(({ detail }: { detail: string }) => detail.split(':')[0])
  for (const field of ['name', 'is_active', 'keywords[0]', 'match_keywords_in[0]', 'entity_types[0]', 'search_query'])
    assert.ok(paths.includes(`data.${field}`), `${field} in ${paths}`)
  for (const [rule, reason] of [
    [{ name: 'all', is_active: true }, /^keywords: is required/],
    [{ name: 'nowhere', is_active: true, keywords: ['x'], match_keywords_in: [] }, /^match_keywords_in: is required/],
  ] as const) {
    const refused = await corvus.call('POST', 'discovery-rules', { data: rule })
    assert.equal(refused.status, 400)
    assert.match(refused.body[0].detail, reason)
  }
  const { body: none } = await corvus.call('GET', 'discovery-rules?filter[name]=nowhere&data=false')
  assert.equal(none.total_count, 0)
})

test('a rule finds entities with one of its keywords in the chosen fields, and follows their changes', async () => {
  const [title, tag, text, other] = await put([
    report('A heron "by" the river'),
    report('By tag', { tags: ['Heron "by" the river'] }),
    report('By text', { description: 'Seen: a heron by the river.' }),
    report('A heron on a roof'),
  ])
  const rule = await make({ keywords: ['heron "by" the river', 'no-such-bird'] })
  assert.deepEqual((await rescan(rule)).result, { found: 3, lost: 0 })
  const seen = await found(rule)
  assert.deepEqual([seen.discovered_count, seen.status, seen.problem], [3, 'SUCCESS', null])
  assert.match(String(seen.last_discovered_at), /^\d{4}-/)
  const urls = [title, tag, text].map((entity) => `${BASE}/api/v2/entities/${entity?.id}`)
  assert.deepEqual(new Set(seen.entities as string[]), new Set(urls))
  const { body } = await corvus.call('GET', `entities?filter[discovery_rules]=${rule.id}&attributes=id`)
  assert.equal(body.total_count, 3)
  assert.equal((await corvus.call('GET', `discovery-rules/${rule.id}/entities`)).body.data.length, 3)
  await corvus.call('PATCH', `discovery-rules/${rule.id}`, {
    data: { match_keywords_in: ['title'], keywords: ['heron'] },
  })
  assert.deepEqual((await rescan(rule)).result, { found: 1, lost: 2 })
  await corvus.call('DELETE', `entities/${other?.id}`)
  assert.equal((await found(rule)).discovered_count, 1)
  assert.deepEqual((await run(rule)).result, { found: 0, lost: 0 })
})

test('types, sources and a query restrict what is found', async () => {
  const { id: self } = (await corvus.call('GET', 'users/self')).body.data
  const group = (await corvus.call('POST', 'groups', { data: { name: 'Rookery', users: [self] } })).body.data
  await put([
    report('Rook one'),
    report('Rook two', {}, 'malware'),
    { ...report('Rook three'), sources: [group.source] },
    { ...report('Rook four', { tags: ['nest'] }), sources: [group.source] },
  ])
  const counts = async (more: Item) =>
    ((await rescan(await make({ keywords: ['rook'], ...more }))).result as Item).found
  assert.equal(await counts({}), 4)
  assert.equal(await counts({ entity_types: ['malware', 'eclecticiq-sighting'] }), 1)
  assert.equal(await counts({ sources: [group.source] }), 2)
  assert.equal(await counts({ sources: [group.source], search_query: 'meta.tags:nest' }), 1)
  assert.equal(await counts({ keywords: [], search_query: 'data.title:rook AND data.type:malware' }), 1)
})

test('a rule finds what its owner sees, and shows each reader only what they see', async () => {
  const hidden = await corvus.blindGroup('Hidden')
  await put([report('Stilt open'), { ...report('Stilt shut'), sources: [hidden.source] }])
  const token = await corvus.tokenFor(['read discovery-rules', 'modify discovery-rules', 'read entities', 'read tasks'])
  const rule = await make({ keywords: ['stilt'] }, token)
  assert.deepEqual((await rescan(rule)).result, { found: 1, lost: 0 })
  await corvus.call('PUT', `groups/${hidden.id}/sources/${hidden.source.split('/').at(-1)}?allowed_tlp=RED`)
  await corvus.call('PATCH', `discovery-rules/${rule.id}`, { data: { description: 'Ours now' } })
  assert.deepEqual((await rescan(rule)).result, { found: 1, lost: 0 })
  assert.equal((await found(rule)).discovered_count, 2)
  const theirs = await found(rule, token)
  assert.deepEqual([theirs.discovered_count, (theirs.entities as string[]).length], [1, 1])
  await sql`update discovery_rules set owner = null where id = ${rule.id}`.execute(corvus.db)
  const failed = await run(rule)
  assert.equal(failed.state, 'FAILURE')
  assert.match(String(failed.error_detail), /who last changed it/)
  assert.equal((await found(rule)).problem, failed.error_detail)
})

test('rules of workspaces are listed as their discovery tasks, and visible to users who see one of the workspaces', async () => {
  const workspace = (await corvus.call('POST', 'workspaces', { data: { name: 'Closed shop' } })).body.data
  const rule = await make({ keywords: ['teal'], workspaces: [workspace.id] })
  const url = `${BASE}/api/v2/discovery-rules/${rule.id}`
  const { body } = await corvus.call('GET', `workspaces/${workspace.id}`)
  assert.deepEqual(body.data.discovery_tasks, [url])
  assert.deepEqual((await corvus.call('GET', `workspaces/${workspace.id}/discovery_tasks`)).body.data, [url])
  const token = await corvus.tokenFor(['read discovery-rules', 'modify discovery-rules', 'modify workspaces'])
  assert.equal((await corvus.call('GET', `discovery-rules/${rule.id}`, undefined, token)).status, 404)
  // The name of its task contains that of the rule.
  const task = rule.task.slice(BASE.length)
  // A new rule is compared with all entities.
  const [run] = (await corvus.call('GET', `tasks/runs?filter[task]=${task.split('/').at(-1)}`)).body.data
  const reader = await corvus.tokenFor(['read tasks', 'read discovery-rules'])
  assert.equal((await corvus.call('GET', task, undefined, reader)).status, 404)
  assert.equal(
    (
      await corvus.call(
        'GET',
        `tasks?filter[type]=discovery-rule&filter[name]=${encodeURIComponent(`Discovery rule: ${rule.name}`)}`,
        undefined,
        reader,
      )
    ).body.total_count,
    0,
  )
  assert.equal((await corvus.call('GET', `tasks/runs/${run.id}`, undefined, reader)).status, 404)
  assert.equal((await corvus.call('GET', task)).status, 200)
  assert.equal((await corvus.call('DELETE', `workspaces/${workspace.id}/discovery_tasks/${rule.id}`)).status, 204)
  assert.equal((await corvus.call('GET', `discovery-rules/${rule.id}`, undefined, token)).status, 200)
  assert.equal((await corvus.call('PUT', `workspaces/1/discovery_tasks/${rule.id}`, undefined, token)).status, 200)
  const bare = await corvus.tokenFor(['modify workspaces', 'read discovery-rules'])
  assert.equal((await corvus.call('PUT', `workspaces/1/discovery_tasks/${rule.id}`, undefined, bare)).status, 403)
})
