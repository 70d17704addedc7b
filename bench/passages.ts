import { createHash, randomBytes } from 'node:crypto'
import { bytesOf, codeOf } from '../server/ai/retrieval/codes.ts'
import type { startServer } from './server.ts'
import { generator, subjectOf, vectorOf, WIDTH } from './vectors.ts'

type Running = Awaited<ReturnType<typeof startServer>>

const SOURCES = 5
const ENTITIES_PER_SOURCE = 100
const WORDS = 30_000
const WORDS_PER_PASSAGE = 110
const BATCH = 2_000

/** Few words are in many texts, and most of them in few; queries have fewer of the frequent ones. */
export const wordsFrom = (random: () => number, count: number, skew = 4): string =>
  Array.from({ length: count }, () => `word${Math.floor(WORDS * random() ** skew)}`).join(' ')

/** Fills the tables with passages of several sources unless they are there; returns the token of a reader of the first source. */
export async function loadPassages(server: Running, count: number): Promise<string> {
  const { pool } = server
  const { rows } = await pool.query<{ count: number }>('select count(*) from passages')
  if ((rows[0]?.count ?? 0) < count) {
    const start = performance.now()
    const entities = await makeEntities(server)
    await pool.query(
      `insert into passage_spaces (url, model, width, is_current, ceiling) values ('bench', 'bench', ${WIDTH}, true, 4)`,
    )
    for (let from = 0; from < count; from += BATCH) await insert(server, entities, from, Math.min(BATCH, count - from))
    await pool.query('vacuum analyze')
    console.log(`${count} passages in ${((performance.now() - start) / 1000).toFixed(0)} s\n`)
  }
  return readerOfFirst(server)
}

async function insert({ pool }: Running, entities: readonly { id: string; vis: number }[], from: number, size: number) {
  const rows = Array.from({ length: size }, (_, i) => {
    const n = from + i
    const entity = entities[n % entities.length]
    const vector = vectorOf(subjectOf(n), n)
    return {
      n,
      entity,
      text: wordsFrom(generator(n + 1), WORDS_PER_PASSAGE),
      code: codeOf(vector),
      bytes: bytesOf(vector),
    }
  })
  await pool.query(
    `with i as materialized (
      select * from unnest($1::integer[], $2::uuid[], $3::integer[], $4::text[], $5::text[], $6::bytea[]) as i(n, entity, vis, text, code, bytes)
    ), stored as (
      insert into passages (id, entity, part, vis, revision, hash, heading, text)
      overriding system value
      select n, entity, n, vis, n, '', 'Heading', text from i
    ), coded as (
      insert into passage_codes (space, passage, vis, code) select s.id, n, vis, i.code::bit varying from i, passage_spaces as s
    )
    insert into passage_vectors (space, passage, hash, vector) select s.id, n, '', bytes from i, passage_spaces as s`,
    [
      rows.map(({ n }) => n),
      rows.map(({ entity }) => entity?.id),
      rows.map(({ entity }) => entity?.vis),
      rows.map(({ text }) => text),
      rows.map(({ code }) => code),
      rows.map(({ bytes }) => bytes),
    ],
  )
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

/** Reports in the sources of new groups, in turns. */
async function makeEntities(server: Running): Promise<{ id: string; vis: number }[]> {
  const { id } = await call<{ id: number }>(server, 'GET', 'users/self')
  const names = Array.from({ length: SOURCES }, (_, i) => ({ name: `Bench source ${i}`, users: [id] }))
  const groups = await call<{ source: string }[]>(server, 'PUT', 'groups', names)
  const items = Array.from({ length: SOURCES * ENTITIES_PER_SOURCE }, (_, i) => ({
    data: { type: 'report', title: `Bench report ${i}`, description: 'A report.' },
    sources: [groups[i % SOURCES]?.source],
  }))
  await call(server, 'PUT', 'entities', items)
  const { rows } = await server.pool.query<{ id: string; vis: number }>(
    `select id, vis from entities where data ->> 'title' like 'Bench report %' order by data ->> 'title', id`,
  )
  return rows
}

async function readerOfFirst(server: Running): Promise<string> {
  const token = `cvs_${randomBytes(32).toString('base64url')}`
  const { rows } = await server.pool.query<{ id: number }>(
    `with u as (insert into users (username) values ($1) returning id),
      r as (insert into role_users (source, target) select roles.id, u.id from roles, u where roles.name = 'System Admin')
    insert into tokens (user_id, name, hash) select id, 'bench', $2 from u returning user_id as id`,
    [`reader ${Date.now()}`, createHash('sha256').update(token).digest()],
  )
  const { rows: sources } = await server.pool.query<{ source: string }>(
    `select source from groups where name = 'Bench source 0'`,
  )
  const allowed = [`${sources[0]?.source}?allowed_tlp=RED`]
  await call(server, 'POST', 'groups', { name: `Readers ${Date.now()}`, users: [rows[0]?.id], sources: allowed })
  return token
}
