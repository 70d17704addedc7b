import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { FIRST_IDS, type Instance, id, numbered, register, text } from './instance.ts'
import { VIEWERS } from './world.ts'

/** Enough sources that their keys are not looked up in a list. */
const FAR = 16
const FAR_GROUP = FIRST_IDS.groups - 1
/** The writer comes after all viewers in the order of ids. */
const LAST_USERS = FIRST_IDS.users + 90_000_000
/** Tables whose ids must be recognisable. */
const NUMBERED = [
  'observables',
  'datasets',
  'tickets',
  'ticket_comments',
  'ticket_history',
  'workspaces',
  'workspace_comments',
  'attack_analyses',
  'attack_annotations',
  'framework_loads',
  'framework_reviews',
] as const

const VIEWER_ROLE = 'Viewer of worlds'

/** Makes ids recognisable, and creates a group that is allowed many sources without content. */
export async function prepareDatabase(db: Kysely<unknown>): Promise<void> {
  for (const table of NUMBERED) {
    const column = sql.ref(table === 'observables' ? 'number' : 'id')
    await sql`alter table ${sql.table(table)} alter column ${column} restart with ${sql.lit(FIRST_IDS[table])}`.execute(
      db,
    )
  }
  // Ids of observables are encrypted numbers. Unencrypted, they are recognisable, and lists sorted by id have the same order in all worlds.
  await sql`
    create or replace function observable_id(number integer) returns integer language sql stable
    as 'select number'`.execute(db)
  // Viewers have all permissions but one: users who manage tasks read the details of all runs, and administrators see every webhook.
  await sql`
    with r as (insert into roles (name) values (${VIEWER_ROLE}) returning id)
    insert into role_permissions (source, target)
    select r.id, p.id from r, permissions as p where p.name <> 'modify tasks'`.execute(db)
  await sql`
    with made as (
      insert into sources (id, name, type)
      select gen_random_uuid(), 'far ' || i, 'group' from generate_series(1, ${FAR}) as i
      returning id, name
    ), g as (
      insert into groups (id, name, source) select ${FAR_GROUP}, 'far', id from made where name = 'far 1'
      returning id
    )
    insert into group_sources (source, target, allowed_tlp)
    select g.id, made.id, 'RED' from g, made`.execute(db)
}

/** A new token. */
export const newToken = (): string => `cvs_${randomBytes(32).toString('base64url')}`

/** Creates the users, groups and sources of instances, and a writer who sees all of them. Returns the token of the writer. */
export async function addPeople(db: Kysely<unknown>, instances: readonly Instance[]): Promise<string> {
  const first = instances[0]?.number ?? 0
  const writer = { id: LAST_USERS + first, name: `writer${first}`, token: newToken() }
  for (const instance of instances) register(instance, 'writer', writer.id)
  const viewers = instances.flatMap((instance) =>
    VIEWERS.map((viewer) => ({
      id: Number(id(instance, viewer)),
      name: text(instance, viewer),
      token: instance.tokens[viewer],
    })),
  )
  const groups = instances.flatMap((instance) =>
    instance.world.groups.map((group) => ({
      id: Number(id(instance, group.name)),
      name: text(instance, group.name),
      source: id(instance, group.source),
      type: group.isEnrichers ? 'enricher' : 'group',
      // The writer writes in the name of every group.
      members: [...group.members.map((viewer) => Number(id(instance, viewer))), writer.id],
      allows: group.allows.map(({ source, upTo }) => ({ source: id(instance, source), upTo: String(upTo) })),
    })),
  )
  const everything = {
    // After the groups of all instances, so that lists of groups have the same order for each of them.
    id: FIRST_IDS.groups + numbered(instances.at(-1)?.number ?? 0, 9),
    name: writer.name,
    source: randomUUID(),
    type: 'group',
    members: [writer.id],
    allows: groups.map(({ source }) => ({ source, upTo: 'RED' })),
  }
  await insert(db, [writer, ...viewers], [everything, ...groups], farSighted(instances))
  return writer.token
}

interface Person {
  readonly id: number
  readonly name: string
  readonly token: string
}

interface Members {
  readonly id: number
  readonly name: string
  readonly source: string
  readonly type: string
  readonly members: readonly number[]
  readonly allows: readonly { readonly source: string; readonly upTo: string }[]
}

const farSighted = (instances: readonly Instance[]): number[] =>
  instances.flatMap((each) => each.world.farSighted.map((viewer) => Number(id(each, viewer))))

async function insert(
  db: Kysely<unknown>,
  people: readonly Person[],
  groups: readonly Members[],
  far: readonly number[],
): Promise<void> {
  await sql`
    with u as (
      insert into users (id, username) select id, name from ${rows(people, 'id integer, name text')} returning id
    ), s as (
      insert into sources (id, name, type)
      select source, name, type from ${rows(groups, 'source uuid, name text, type text')}
      returning id
    ), g as (
      insert into groups (id, name, source)
      select id, name, source from ${rows(groups, 'id integer, name text, source uuid')}
    ), a as (
      insert into group_sources (source, target, allowed_tlp)
      select i.id, a.source, a."upTo"
      from ${rows(groups, 'id integer, allows jsonb')}
      cross join jsonb_to_recordset(i.allows) as a(source uuid, "upTo" text)
    ), m as (
      insert into group_users (source, target)
      select i.id, m.target::integer
      from ${rows(groups, 'id integer, members jsonb')} cross join jsonb_array_elements_text(i.members) as m(target)
      union all
      select ${FAR_GROUP}, f.id from unnest(${far}::integer[]) as f(id)
    ), r as (
      insert into role_users (source, target)
      select roles.id, u.id
      from u, roles
      where roles.name = case when u.id >= ${LAST_USERS} then 'System Admin' else ${VIEWER_ROLE} end
    )
    insert into tokens (user_id, name, hash)
    select id, 'test', decode(hash, 'hex')
    from ${rows(
      people.map(({ id, token }) => ({ id, hash: createHash('sha256').update(token).digest('hex') })),
      'id integer, hash text',
    )}`.execute(db)
}

/** The rows of a statement from a list of objects. */
export const rows = (list: readonly unknown[], columns: string) =>
  sql`jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as i(${sql.raw(columns)})`
