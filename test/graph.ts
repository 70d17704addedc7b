import { type Kysely, sql } from 'kysely'
import { PERMISSIONS } from '../server/domain/permissions.ts'
import type { Context } from '../server/engine/context.ts'
import { ApiError } from '../server/engine/errors.ts'
import { makeId } from '../server/engine/ids.ts'
import type { Incoming, Route } from '../server/engine/route.ts'
import { resourceMap } from '../server/registry.ts'
import { taskTypes } from '../server/tasks.ts'
import { BASE } from './app.ts'
import type { Chance } from './visibility/chance.ts'

export interface Entity {
  readonly id: string
  readonly type: string
  readonly vis: number
}

export interface Relationship {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly key: string
  readonly subtype: string | null
  readonly vis: readonly number[]
}

export interface Observable {
  readonly id: number
  readonly type: string
}

/** Entities, their relationships and their observables. */
export interface Graph {
  readonly entities: readonly Entity[]
  readonly relationships: readonly Relationship[]
  readonly observables: readonly Observable[]
  readonly links: readonly { readonly source: string; readonly target: number }[]
}

export const TYPES = ['malware', 'indicator', 'tool'] as const
export const KEYS = ['uses', 'targets', ''] as const
export const OBSERVABLE_TYPES = ['domain', 'ipv4'] as const
/** Visibility keys: two sources at two TLP colours, with numbers that no real source has. */
export const VIS = [8001, 8004, 8009, 8012] as const

let observables = 1_000_000

/** A small random graph: some are dense, some are disconnected. */
export function drawGraph(chance: Chance, most = 14): Graph {
  const entities = Array.from({ length: 2 + chance.below(most - 1) }, () => ({
    id: makeId(),
    type: chance.pick(TYPES),
    vis: chance.pick(VIS),
  }))
  const drawn = Array.from({ length: chance.below(entities.length * 3) }, () => ({
    id: makeId(),
    source: chance.pick(entities).id,
    target: chance.pick(entities).id,
    key: chance.pick(KEYS),
    subtype: chance.flip(0.2) ? 'stix_update_of' : null,
    vis: [chance.pick(VIS), ...chance.some(VIS, 0.2)],
  }))
  const isTwin = new Set<string>()
  const relationships = drawn.filter(({ source, target, key, subtype, vis }) => {
    const ends = [source, target, key, subtype, vis[0]].join()
    const isNew = source !== target && !isTwin.has(ends)
    isTwin.add(ends)
    return isNew
  })
  const own = Array.from({ length: chance.below(5) }, () => ({
    id: ++observables,
    type: chance.pick(OBSERVABLE_TYPES),
  }))
  const links = own.flatMap(({ id }) => chance.some(entities, 0.25).map(({ id: source }) => ({ source, target: id })))
  return { entities, relationships, observables: own, links }
}

export const makeTool = (vis: number = VIS[0]): Entity => ({ id: makeId(), type: 'tool', vis })

/** A relationship that is visible to all users with the first of the keys. */
export const joinEntities = (source: string, target: string, key = ''): Relationship => ({
  id: makeId(),
  source,
  target,
  key,
  subtype: null,
  vis: [VIS[0]],
})

/** Writes graphs without the API, because these tests are about reading them. */
export async function insertGraphs(db: Kysely<unknown>, graphs: readonly Graph[]): Promise<void> {
  const rows = (list: readonly unknown[], columns: string) =>
    sql`jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as i(${sql.raw(columns)})`
  await sql`
    insert into entities (id, stix_id, type, vis, half_life, data, meta, search)
    select id, id::text, type, vis, 1, jsonb_build_object('title', 'e ' || id), '{"tlp_color": "GREEN"}', ''
    from ${rows(
      graphs.flatMap(({ entities }) => entities),
      'id uuid, type text, vis integer',
    )}`.execute(db)
  await sql`
    insert into relationships (id, source, target, key, subtype, vis, home, strict_stix_1, strict_stix_2, data, meta)
    select id, source, target, key, subtype, array(select v::integer from jsonb_array_elements_text(vis) as v),
      (vis ->> 0)::integer, false, false, '{}', '{}'
    from ${rows(
      graphs.flatMap(({ relationships }) => relationships),
      'id uuid, source uuid, target uuid, key text, subtype text, vis jsonb',
    )}`.execute(db)
  await sql`
    insert into observables (id, type, value) select id, type, id || '.example'
    from ${rows(
      graphs.flatMap((graph) => graph.observables),
      'id integer, type text',
    )}`.execute(db)
  await sql`
    insert into entity_observables (source, target) select source, target
    from ${rows(
      graphs.flatMap(({ links }) => links),
      'source uuid, target integer',
    )}`.execute(db)
}

/** The part of a graph that a user with these keys sees. */
export function seenBy({ entities, relationships, observables, links }: Graph, keys: readonly number[]): Graph {
  const own = entities.filter(({ vis }) => keys.includes(vis))
  const ids = new Set(own.map(({ id }) => id))
  const seen = links.filter(({ source }) => ids.has(source))
  return {
    entities: own,
    relationships: relationships.filter(
      ({ source, target, vis }) => ids.has(source) && ids.has(target) && vis.some((key) => keys.includes(key)),
    ),
    observables: observables.filter(({ id }) => seen.some(({ target }) => target === id)),
    links: seen,
  }
}

/** The context of a request by a user with these keys. Long lists of keys are looked up in another way. */
export function contextOf(
  db: Context['db'],
  keys: readonly number[],
  { isFarSighted = false, permissions = PERMISSIONS as readonly string[] } = {},
): Context {
  const far = isFarSighted ? Array.from({ length: 70 }, (_, i) => 9001 + i) : []
  const sight = { keys: [...keys, ...far], sources: [], home: null, own: [], ownNumbers: [] }
  const caller = { id: 0, permissions: new Set(permissions), sight }
  const vault = { seal: (text: string) => text, open: (text: string) => text }
  return { db, vault, resources: resourceMap, taskTypes, caller, baseUrl: BASE }
}

/** Calls a route without HTTP and returns its status, and the body of a success or the details of an error. */
export async function ask(ctx: Context, route: Route, request: Partial<Incoming>) {
  try {
    const input = await route.parse({ params: {}, query: {}, body: undefined, headers: {}, address: '', ...request })
    const lacking = (route.guards?.(input) ?? []).filter((name) => !ctx.caller.permissions.has(name))
    if (lacking.length > 0) return { status: 403, body: lacking }
    const { status, body } = route.answer(await route.run(ctx, input), ctx, input)
    // As it would be sent over the wire.
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
    return { status, body: JSON.parse(JSON.stringify(body)) as any }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, body: error.details }
  }
}
