import { after } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../app.ts'

export const corvus = await startApp(undefined, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.1/32' } })
after(() => corvus.stop())

const PATH = '/api/v2/attacks/frameworks'

/** Uploads a document for a preview. */
export async function preview(
  content: string | Buffer,
  { version, token = corvus.admin, name = 'bundle.json' }: { version?: string; token?: string; name?: string } = {},
) {
  const boundary = 'limit-of-parts'
  const part = (head: string) => Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n`)
  const payload = Buffer.concat([
    ...(version === undefined ? [] : [part('name="version"'), Buffer.from(`\r\n${version}\r\n`)]),
    part(`name="file"; filename="${name}"`),
    Buffer.from('Content-Type: application/json\r\n\r\n'),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const answer = await corvus.app.inject({
    method: 'POST',
    url: `${PATH}/preview`,
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}

export const load = (id: number, token?: string) =>
  corvus.call('POST', `${PATH}/load`, { data: { load: id } }, token ?? corvus.admin)

export const undo = (id: number) => corvus.call('POST', `${PATH}/loads/${id}/undo`)

/** Previews and loads a document. */
export async function loadBundle(content: string | Buffer, version?: string) {
  const previewed = await preview(content, version === undefined ? {} : { version })
  if (previewed.status !== 201) throw new Error(JSON.stringify(previewed.body))
  const loaded = await load(previewed.body.data.id)
  if (loaded.status !== 200) throw new Error(JSON.stringify(loaded.body))
  return loaded.body.data
}

export const openReviews = async () => (await corvus.call('GET', `${PATH}/reviews`)).body.data

/** Everything that loading changes, without stamps, as text. */
export async function frameworkTables(): Promise<Record<string, string>> {
  const tables = {
    frameworks: 'matrix',
    attack_nodes: 'id',
    attack_defenses: 'id',
    defense_relationships: 'id',
    defense_inner_relationships: 'id',
    log_sources: 'id',
    attack_annotations: 'id',
  }
  const found: Record<string, string> = {}
  for (const [table, key] of Object.entries(tables)) {
    const { rows } = await sql<{ text: string }>`
      select coalesce(jsonb_agg(to_jsonb(t) - '{last_updated_at,last_updated_by}'::text[] order by ${sql.ref(key)}), '[]')::text as text
      from ${sql.table(table)} as t`.execute(corvus.db)
    found[table] = rows[0]?.text ?? ''
  }
  const { rows } = await sql<{ text: string }>`
    select coalesce(jsonb_agg(jsonb_build_array(matrix, technique, text) order by matrix, technique, text), '[]')::text as text
    from attack_procedures`.execute(corvus.db)
  found.attack_procedures = rows[0]?.text ?? ''
  return found
}

/** The nodes of entities, by their ids, and their search vectors. */
export async function classified(): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select jsonb_agg(jsonb_build_array(id, attacks, search::text) order by id)::text as text from entities`.execute(
    corvus.db,
  )
  return rows[0]?.text ?? ''
}

/** Creates an entity with nodes, and returns its id. */
export async function classify(title: string, attacks: readonly string[]): Promise<string> {
  const { status, body } = await corvus.call('POST', 'entities', { data: { type: 'report', title }, meta: { attacks } })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}

/** The nodes of an entity. */
export async function nodesOf(id: string): Promise<string[]> {
  const { body } = await corvus.call('GET', `entities/${id}`)
  return body.data.meta.attacks.map((url: string) => url.split('/').at(-1))
}

/** The ids of the entities that a query finds. */
export async function found(query: string): Promise<string[]> {
  const { body } = await corvus.call('GET', `entities?query=${encodeURIComponent(query)}&limit=500`)
  return body.data.map(({ id }: { id: string }) => id)
}
