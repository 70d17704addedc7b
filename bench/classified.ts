import { createHash, randomBytes } from 'node:crypto'
import { clientOf } from '../cli/demo/client.ts'
import { fill } from '../cli/demo/fill.ts'
import { findToken } from '../server/identity/access/callers.ts'
import { sightOf } from '../server/identity/access/sight.ts'
import { keysOf } from '../server/identity/access/visibility.ts'
import type { startServer } from './server.ts'

/** Entities that are written through the API. All others are copies of them, with as many relationships. */
const WRITTEN = 2000
const SOURCES = 40
/** The restricted reader is allowed every third source, up to a colour. */
const EACH = 3

type Running = Awaited<ReturnType<typeof startServer>>

export interface Reader {
  readonly name: string
  readonly token: string
  /** The visibility keys that the reader holds. */
  readonly keys: readonly number[]
  readonly count: number
}

/** Loads classified entities of many sources unless they are there, and returns who reads them. */
export async function loadClassified(server: Running, count: number): Promise<Reader[]> {
  const { pool, token } = server
  const { rows } = await pool.query<{ count: number }>(`select count(*) from entities where attacks <> '{}'`)
  if ((rows[0]?.count ?? 0) < count) {
    const start = performance.now()
    await fill(clientOf(server.url, token, new AbortController().signal), { seed: 1, entities: WRITTEN })
    const sources = await makeSources(server)
    await copyEntities(
      server,
      Math.ceil(count / WRITTEN),
      sources.flatMap((number) => keysOf(number)),
    )
    await pool.query('vacuum analyze')
    console.log(`${count} classified entities in ${((performance.now() - start) / 1000).toFixed(0)} s\n`)
  }
  return [
    await readerOf(server, 'administrator', token),
    await readerOf(server, 'reader', await restrictedToken(server)),
  ]
}

const call = async <T>({ url, token }: Running, method: string, path: string, data?: unknown): Promise<T> => {
  const answer = await fetch(`${url}/api/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(data !== undefined && { body: JSON.stringify({ data }) }),
  })
  const body = (await answer.json()) as { data: T }
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(body).slice(0, 500)}`)
  return body.data
}

/** Groups with a source each, all of which the administrator belongs to. Returns the numbers of the sources. */
async function makeSources(server: Running): Promise<number[]> {
  const { id } = await call<{ id: number }>(server, 'GET', 'users/self')
  const groups = Array.from({ length: SOURCES }, (_, i) => ({ name: `Source ${i}`, users: [id] }))
  const made = await call<{ source: string }[]>(server, 'PUT', 'groups', groups)
  const { rows } = await server.pool.query<{ number: number }>(
    'select number from sources where id = any($1) order by number',
    [made.map(({ source }) => source.split('/').at(-1))],
  )
  return rows.map(({ number }) => number)
}

async function copyEntities({ pool }: Running, copies: number, keys: readonly number[]): Promise<void> {
  const own = ['id', 'stix_id', 'vis', 'attacks', 'search', 'threat_start']
  const entities = await columnsOf(pool, 'entities', own)
  const { rows } = await pool.query<{ nodes: string[] }>(
    `select array_agg(id order by md5(id)) as nodes from attack_nodes
    where state = 'live' and type in ('technique', 'subtechnique')`,
  )
  // A few nodes are in many entities, and most of them in few.
  await pool.query(
    `insert into entities (id, stix_id, vis, attacks, search, threat_start, ${entities})
    select c.id, t.stix_id || '-' || c.copy, c.vis, a.nodes,
      t.search || array_to_tsvector(array(select 'k' || chr(31) || lower(n.node) from unnest(a.nodes) as n(node))),
      now() - make_interval(secs => ${random('c.id', 1)} * 86400 * 730), ${entities}
    from entities as t
    cross join lateral (
      select md5(t.id::text || n)::uuid as id, n as copy,
        ($2::integer[])[1 + floor(${random("t.id::text || '-' || n", 2)} * cardinality($2::integer[]))] as vis
      from generate_series(1, $1) as n) as c
    cross join lateral (
      select array_agg(distinct ($3::text[])[1 + floor(cardinality($3::text[]) * power(${random('c.id::text || k', 5)}, 3))]) as nodes
      from generate_series(1, 1 + floor(${random('c.id', 4)} * 8)::integer) as k) as a`,
    [copies, keys, rows[0]?.nodes],
  )
  const relationships = await columnsOf(pool, 'relationships', ['id', 'source', 'target'])
  await pool.query(
    `insert into relationships (id, source, target, ${relationships})
    select md5(t.id::text || n)::uuid, md5(t.source::text || n)::uuid, md5(t.target::text || n)::uuid, ${relationships}
    from relationships as t cross join generate_series(1, $1) as n`,
    [copies],
  )
}

/** From 0 to 1, the same for the same text. */
const random = (text: string, salt: number): string =>
  `((hashtextextended(${text}::text, ${salt}) & 1048575) / 1048576.0)`

/** The other columns of a table. */
async function columnsOf(pool: Running['pool'], table: string, own: readonly string[]): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
    where table_schema = 'public' and table_name = $1 and column_name <> all($2) and is_generated = 'NEVER'`,
    [table, own],
  )
  return rows.map(({ name }) => name).join(', ')
}

/** The token of a new user with all permissions, who sees some sources up to a colour. */
async function restrictedToken(server: Running): Promise<string> {
  const { pool } = server
  const token = `cvs_${randomBytes(32).toString('base64url')}`
  const { rows } = await pool.query<{ id: number }>(
    `with u as (insert into users (username) values ($1) returning id),
      r as (insert into role_users (source, target) select roles.id, u.id from roles, u where roles.name = 'System Admin')
    insert into tokens (user_id, name, hash) select id, 'bench', $2 from u returning user_id as id`,
    [`reader ${Date.now()}`, createHash('sha256').update(token).digest()],
  )
  const sources = await pool.query<{ id: string }>(
    `select s.id from sources as s join groups as g on g.source = s.id where g.name like 'Source %' order by s.number`,
  )
  const allowed = sources.rows.filter((_, i) => i % EACH === 0).map(({ id }) => `${id}?allowed_tlp=AMBER`)
  await call(server, 'POST', 'groups', { name: `Readers ${Date.now()}`, users: [rows[0]?.id], sources: allowed })
  return token
}

async function readerOf({ pool, db }: Running, name: string, token: string): Promise<Reader> {
  const caller = (await findToken(db, token))?.caller
  if (!caller) throw new Error('The token is unknown.')
  const { keys } = sightOf({ caller })
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) from entities where vis = any($1::integer[]) and attacks <> '{}'`,
    [keys],
  )
  return { name, token, keys, count: rows[0]?.count ?? 0 }
}
