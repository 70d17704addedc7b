import { type RawBuilder, sql } from 'kysely'
import { ApiError, forbidden } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { PUSH } from '../incoming/push.ts'
import { mayRead } from '../outgoing/access.ts'
import { aliasesOf } from './alias.ts'
import { STIX } from './media-type.ts'

/** A feed as a collection: an outgoing one is read, an incoming one is written to. */
export interface Collection {
  readonly kind: 'outgoing' | 'incoming'
  readonly feed: number
  readonly id: string
  readonly title: string
  readonly description: string
  readonly created_at: string
}

/** What it takes to see collections to read, and such to write to. */
export const READING = 'read content-blocks'
export const WRITING = 'modify incoming-feeds'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** All collections of the caller, by their titles. */
export const listCollections = (ctx: Context): Promise<Collection[]> => select(ctx, sql`true`)

/** A collection by its id, in one look-up, or by its alias; what the caller may not see does not exist. */
export async function findCollection(ctx: Context, key: string): Promise<Collection> {
  if (UUID.test(key)) {
    const [found] = await select(ctx, sql`f.collection_id = ${key}::uuid`)
    if (found) return found
  } else {
    const found = named(await listCollections(ctx), key)
    if (found) return found
  }
  throw new ApiError(404, `There is no collection '${key.slice(0, 200)}'.`)
}

/** The one of all collections that goes by an id or an alias. */
export function named(all: readonly Collection[], key: string): Collection | undefined {
  const aliases = aliasesOf(all)
  return all.find((collection) => collection.id === key.toLowerCase() || aliases.get(collection) === key)
}

/** A collection that is to be read. */
export async function findReadable(ctx: Context, key: string): Promise<Collection> {
  const collection = await findCollection(ctx, key)
  if (collection.kind !== 'outgoing') throw forbidden('This collection can be written to, and not read.')
  return collection
}

/** A collection as its resource has it. */
export const shown = ({ kind, id, title, description }: Collection, alias: string | undefined) => ({
  id,
  title,
  ...(description.trim() !== '' && { description }),
  ...(alias !== undefined && { alias }),
  can_read: kind === 'outgoing',
  can_write: kind === 'incoming',
  media_types: [STIX],
})

async function select(ctx: Context, which: RawBuilder<unknown>): Promise<Collection[]> {
  const { permissions } = ctx.caller
  const { rows } = await sql<Collection>`
    select 'outgoing' as kind, f.id as feed, f.collection_id as id, f.name as title, f.description, f.created_at
    from outgoing_feeds as f
    where ${permissions.has(READING)}::boolean and ${which}
      and f.transport_type = 'eiq.outgoing-transports.taxii2' and ${mayRead(ctx, 'f')}
    union all
    select 'incoming', f.id, f.collection_id, f.name, f.description, f.created_at
    from incoming_feeds as f
    where ${permissions.has(WRITING)}::boolean and ${which}
      and f.transport_type = ${PUSH} and f.is_active
    order by title, created_at, id`.execute(ctx.db)
  return rows
}
