import assert from 'node:assert/strict'
import { after } from 'node:test'
import { sql } from 'kysely'
import { rankOf, sourceOf } from '../../server/identity/access/visibility.ts'
import { type Answered, type Method, startApp } from '../app.ts'

/** The application of the importing test file, with what tests of policies do again and again. */
export const corvus = await startApp()
after(() => corvus.stop())

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type Item = Record<string, any>

let counter = 0

/** Calls the API, requires a success, and returns the data. */
export async function ask(method: Method, path: string, data?: unknown, token = corvus.admin): Promise<Item> {
  const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
  assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`)
  return body.data
}

/** Calls the API, requires a refusal, and returns its details. */
export async function refused(
  status: number,
  method: Method,
  path: string,
  data?: unknown,
  token = corvus.admin,
): Promise<string[]> {
  const answer = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return detailsOf(answer)
}

const detailsOf = ({ body }: Answered): string[] => body.map(({ detail }: { detail: string }) => detail)

/** A group of the administrator. */
export async function makeGroup(more: Item = {}): Promise<Item & { id: number; source: string }> {
  const { id } = await ask('GET', 'users/self')
  return ask('POST', 'groups', { name: `Group ${++counter}`, users: [id], ...more }) as never
}

/** An active policy without configurations. */
export async function makePolicy(more: Item = {}, token = corvus.admin): Promise<Item & { id: number; task: string }> {
  const group = more.merge_group ?? (await makeGroup()).id
  return ask(
    'POST',
    'consolidation-rules',
    { name: `Policy ${++counter}`, is_active: true, merge_group: group, ...more },
    token,
  ) as never
}

/** A configuration of a policy. */
export const configure = (policy: number, more: Item = {}): Promise<Item> =>
  ask('POST', `consolidation-rules/${policy}/configurations`, {
    entity_types: ['malware'],
    half_life_choice: 'latest',
    tlp_choice: 'highest',
    ...more,
  })

/** The states of the runs of a task, the oldest first. */
export async function runsOf(task: string): Promise<string[]> {
  const id = task.split('/').at(-1)
  const { body } = await corvus.call('GET', `tasks/runs?filter[task]=${id}&sort=created_at`)
  return body.data.map(({ state }: Item) => state)
}

/** A user who reads the intelligence of these sources, and nothing else. */
export async function readerOf(
  sources: readonly string[],
  permissions = ['read entities', 'read rules'],
): Promise<string> {
  const token = await corvus.tokenFor(permissions)
  const { id } = await ask('GET', 'users/self', undefined, token)
  const [own] = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data
  await ask('DELETE', `groups/${own.id}/users/${id}`)
  const allowed = sources.map((source) => `${source}?allowed_tlp=RED`)
  const group = await ask('POST', 'groups', { name: `Readers ${++counter}`, users: [id] })
  await ask('PATCH', `groups/${group.id}`, { sources: allowed })
  return token
}

/** An entity of a source. */
export const makeEntity = (source: string, title: string, more: Item = {}): Promise<Item & { id: string }> =>
  ask('POST', 'entities', { data: { type: 'malware', title, ...more }, sources: [source] }) as never

/** Makes an entity the unified entity of others, as consolidation does; further ones can be added. */
export async function unify(
  unified: string,
  contributors: readonly string[],
  policy: number | null = null,
): Promise<void> {
  await sql`
    insert into contributors (entity, unified)
    select entity, ${unified} from unnest(${contributors}::uuid[]) as i(entity)`.execute(corvus.db)
  await restrict(unified)
  await sql`
    insert into unified_entities (entity, policy, source)
    select id, ${policy}::integer, ${sourceOf(sql`vis`)} from entities where id = ${unified}
    on conflict do nothing`.execute(corvus.db)
}

/** Gives a unified entity the key that follows from its contributors. */
export async function restrict(unified: string): Promise<void> {
  await sql`
    update entities as t
    set is_unified = true, vis = composite_of(
      coalesce((select c.source from composites as c where c.number = ${sourceOf(sql`t.vis`)}), ${sourceOf(sql`t.vis`)}),
      ${rankOf(sql`t.vis`)},
      array(select e.vis from contributors as m join entities as e on e.id = m.entity where m.unified = t.id))
    where t.id = ${unified}`.execute(corvus.db)
}

/** Writes the event of a contributor that joined a unified entity. */
export async function addEvent(entity: string, unified: string, more: Item = {}): Promise<number> {
  const { method = 'rule-based', kind = 'title', policy = null } = more
  const { rows } = await corvus.pool.query(
    `insert into consolidation_events (entity, unified, vis, method, reason, policy)
     select $1, id, vis, $3, jsonb_build_object('kind', $4::text, 'value', 'emotet'), $5 from entities where id = $2
     returning id`,
    [entity, unified, method, kind, policy],
  )
  return rows[0].id
}

/** Writes a suggestion about two entities. */
export async function addSuggestion(one: string, two: string, more: Item = {}): Promise<number> {
  const { kind = 'name', state = 'open', type = 'malware' } = more
  const { rows } = await corvus.pool.query(
    `insert into consolidation_suggestions (first, second, type, reasons, state)
     select (array_agg(id order by stix_id))[1], (array_agg(id order by stix_id))[2], $2,
       jsonb_build_array(jsonb_build_object('kind', $3::text, 'value', 'emotet')), $4
     from entities where id = any($1::uuid[])
     returning id`,
    [[one, two], type, kind, state],
  )
  return rows[0].id
}
