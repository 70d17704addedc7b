import { randomUUID } from 'node:crypto'
import { type Answered, type Method, startApp } from './app.ts'

export const TAXII = 'application/taxii+json;version=2.1'

export type StixObject = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string }

interface Asking {
  readonly method?: Method
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A STIX object with its own id. */
export const stixObject = (type = 'indicator', more: Record<string, unknown> = {}): StixObject => ({
  type,
  spec_version: '2.1',
  id: `${type}--${randomUUID()}`,
  created: '2024-01-01T00:00:00.000Z',
  modified: '2024-01-01T00:00:00.000Z',
  ...more,
})

type Corvus = Awaited<ReturnType<typeof startApp>>

/** The application, and functions to create feeds with collections and to call it as TAXII clients do. */
export async function startTaxii(onStatement?: (statement: string) => void) {
  const corvus = await startApp(onStatement)
  return { ...corvus, ...taxiiOf(corvus) }
}

/** The same for a running application. */
export function taxiiOf(corvus: Corvus) {
  const { pool } = corvus

  const userOf = async (token: string): Promise<number> => {
    const { body } = await corvus.call('GET', 'users/self', undefined, token)
    return body.data.id
  }

  /** Creates an outgoing feed with a collection: for its owner, for members of groups, or for callers with all of its visibility keys. */
  async function publish(
    name: string,
    { owner, groups = [], keys = [] }: { owner?: number; groups?: readonly number[]; keys?: readonly number[] } = {},
  ): Promise<{ feed: number; id: string }> {
    const { rows } = await pool.query<{ feed: number; id: string }>(
      `insert into outgoing_feeds (name, description, content_type, transport_type, owner, keys)
       values ($1, 'About ' || $1, 'urn:oasis:stix:json:2.1', 'eiq.outgoing-transports.taxii2', $2, $3)
       returning id as feed, collection_id as id`,
      [name, owner ?? null, keys],
    )
    const [made] = rows
    if (!made) throw new Error('The feed was not made.')
    await pool.query('insert into outgoing_feed_groups (source, target) select $1, unnest($2::integer[])', [
      made.feed,
      groups,
    ])
    return made
  }

  /** Adds objects to a collection as packaging does: each later than all before it, and the latest of its versions. Returns when each was added. */
  async function add(feed: number, objects: readonly StixObject[]): Promise<string[]> {
    const texts = objects.map((object) => JSON.stringify(object))
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `update collection_objects as t set is_latest = false
         from unnest($2::text[]) as o(object) where t.feed = $1 and t.stix_id = o.object::jsonb ->> 'id'`,
        [feed, texts],
      )
      const { rows } = await client.query<{ added_at: string }>(
        `with told as (
           select o.n, o.object, o.object::jsonb as j,
             greatest(clock_timestamp(), (select max(added_at) from collection_objects where feed = $1))
               + o.n * interval '1 microsecond' as added_at
           from unnest($2::text[]) with ordinality as o(object, n)
         )
         insert into collection_objects (feed, added_at, stix_id, type, spec_version, version, is_latest, hash, object)
         select $1, added_at, j ->> 'id', j ->> 'type', coalesce(j ->> 'spec_version', '2.1'),
           coalesce(j ->> 'modified', j ->> 'created', added_at::text)::timestamptz, true, '', object
         from told order by n
         returning added_at`,
        [feed, texts],
      )
      await client.query('commit')
      return rows.map(({ added_at }) => added_at.replace('+00:00', 'Z'))
    } finally {
      client.release()
    }
  }

  /** Sends a request as a client does: below the API root unless the path begins with a slash. */
  function ask(
    path: string,
    { method = 'GET', token = corvus.admin, body, headers = {} }: Asking = {},
  ): Promise<Answered> {
    const url = path.startsWith('/') ? path : `/taxii2/root/${path}`
    const type = body === undefined ? {} : { 'content-type': TAXII }
    return corvus.call(method, url, body, token, { accept: TAXII, ...type, ...headers })
  }

  return { publish, add, ask, userOf }
}
