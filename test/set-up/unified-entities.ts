import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { makeId } from '../../server/engine/ids.ts'
import { type Answered, BASE, startApp } from '../app.ts'
import { until } from '../until.ts'

/** Stores a unified entity of these contributors, of the source of a merge group, without the engine that usually does. */
export async function insertUnified(
  db: Kysely<unknown>,
  contributors: readonly string[],
  mergeSource: string,
  title = 'Unified',
): Promise<string> {
  const id = makeId()
  await sql`
    with own as materialized (select * from entities where id = any(${contributors}::uuid[])),
    merge_group as (select number from sources where id = ${mergeSource}::uuid)
    insert into entities (id, stix_id, type, vis, half_life, tags, data, meta, search, is_unified)
    select ${id}::uuid, ${`{https://corvus.test/}unified-${id}`}::text, min(type),
      composite_of((select number from merge_group), max(vis & 7), array_agg(vis)), max(half_life),
      array(select distinct tag from own, unnest(tags) as tag order by 1),
      (select data from own order by id limit 1)
        || jsonb_build_object('id', ${`{https://corvus.test/}unified-${id}`}::text, 'title', ${title}::text),
      (select meta from own order by id limit 1),
      array_to_tsvector(array(select distinct lexeme from own, unnest(tsvector_to_array(search)) as lexeme)), true
    from own`.execute(db)
  await sql`
    insert into contributors (entity, unified) select unnest(${contributors}::uuid[]), ${id}::uuid`.execute(db)
  await sql`
    insert into entity_observables (source, target, link_type, maliciousness, created_at)
    select ${id}::uuid, target, min(link_type), max(maliciousness), now() from entity_observables
    where source = any(${contributors}::uuid[]) group by target`.execute(db)
  await sql`
    insert into changes (resource, kind, ids) values ('entities', 'create', array[${id}::text])`.execute(db)
  return id
}

/** Changes the title of a unified entity and keeps its previous version. */
export async function renameUnified(db: Kysely<unknown>, id: string, title: string): Promise<void> {
  await sql`
    with kept as (
      insert into entity_versions (entity_id, version, vis, at, data, meta)
      select id, version, vis, last_updated_at, data, meta || '{"taxonomies": [], "attacks": []}'
      from entities where id = ${id}::uuid
    ), changed as (
      update entities
      set data = data || jsonb_build_object('title', ${title}::text), version = version + 1, last_updated_at = now()
      where id = ${id}::uuid returning id
    )
    insert into changes (resource, kind, ids) select 'entities', 'update', array[id::text] from changed`.execute(db)
}

/** Deletes a unified entity, as when it is taken apart. */
export async function deleteUnified(db: Kysely<unknown>, id: string): Promise<void> {
  await sql`
    with gone as (delete from entities where id = ${id}::uuid and is_unified returning id, vis),
    links as (delete from entity_observables where source = ${id}::uuid),
    versions as (delete from entity_versions where entity_id = ${id}::uuid)
    insert into changes (resource, kind, ids, keys)
    select 'entities', 'delete', array[id::text], jsonb_build_array(jsonb_build_array(jsonb_build_array(vis))) from gone`.execute(
    db,
  )
}

/** A request of a reader. */
export type Asked = readonly [method: 'GET' | 'POST', path: string, body?: unknown]

/** The id at the end of a URL. */
const idOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/**
 * The application with two sources, a merge group, and two readers: one who sees everything, and one who does not see the second
 * source, although they see the merge group.
 */
export async function startUnified<App extends Awaited<ReturnType<typeof startApp>>>(
  start: () => Promise<App> = startApp as () => Promise<App>,
) {
  const corvus = await start()
  const [first, second, merge] = [
    await corvus.blindGroup('First'),
    await corvus.blindGroup('Second'),
    await corvus.blindGroup('Merge group'),
  ]
  const group = (await corvus.call('GET', 'groups?filter[name]=Default')).body.data[0]
  const defaultSource: string = group.source
  const readerOf = async (name: string, sources: readonly string[]): Promise<string> => {
    const token = await corvus.tokenFor('all')
    const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
    const made = await corvus.call('POST', 'groups', {
      name,
      users: [id],
      sources: sources.map((source) => `${source}?allowed_tlp=RED`),
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return token
  }
  const insider = await readerOf('Insiders', [first.source, second.source, merge.source])
  const outsider = await readerOf('Outsiders', [first.source, merge.source])
  const call = async (
    method: Parameters<typeof corvus.call>[0],
    path: string,
    body?: unknown,
    token: string = insider,
  ): Promise<Answered> => {
    // Lets the connections that wait have their turn.
    await setImmediate()
    return corvus.call(method, path, body, token)
  }
  const get = async (path: string, token?: string) => {
    const { status, body } = await call('GET', path, undefined, token)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    return body
  }
  const post = async (path: string, data: unknown, token?: string) => {
    const { status, body } = await call('POST', path, { data }, token)
    assert.ok(status === 200 || status === 201, `${path}: ${JSON.stringify(body)}`)
    return body.data
  }
  /** Stores an entity of a source and returns its id. */
  const make = async (source: string, title: string, more: { data?: object; [name: string]: unknown } = {}) => {
    const { data, ...rest } = more
    const item = { data: { type: 'threat-actor', title, ...data }, sources: [source], ...rest }
    const { status, body } = await corvus.call('POST', 'entities', { data: item })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id as string
  }
  const relate = async (from: string, key: string, to: string): Promise<string> =>
    (await post('relationships', { data: { source: from, key, target: to }, sources: [defaultSource] })).id
  const asOutsider = async ([method, path, body]: Asked): Promise<unknown> => {
    const answer = await call(method, path, body, outsider)
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
    return JSON.parse(JSON.stringify(answer.body, (name, value) => (name === 'relevancy' ? null : value)))
  }
  /** Remembers what the outsider is answered; the function that it returns compares that with what they are answered then. */
  const rememberOutside = async (requests: readonly Asked[]): Promise<() => Promise<void>> => {
    const earlier = new Map<Asked, unknown>()
    for (const asked of requests) earlier.set(asked, await asOutsider(asked))
    return async () => {
      for (const asked of requests) assert.deepEqual(await asOutsider(asked), earlier.get(asked), JSON.stringify(asked))
    }
  }
  return {
    ...corvus,
    call,
    get,
    rememberOutside,
    url: (path: string, id: string) => `${BASE}/api/v2/${path}/${id}`,
    post,
    make,
    relate,
    readers: { insider, outsider },
    sources: { first: first.source, second: second.source, merge: merge.source, open: defaultSource },
    rename: (id: string, title: string) => renameUnified(corvus.db, id, title),
    takeApart: (id: string) => deleteUnified(corvus.db, id),
    /** Stores a unified entity, and waits until the insider sees it. */
    unify: async (contributors: readonly string[], title?: string) => {
      const id = await insertUnified(corvus.db, contributors, idOf(merge.source), title)
      await until(async () => (await call('GET', `entities/${id}`)).status === 200, 'The insider does not see it.')
      return id
    },
  }
}
