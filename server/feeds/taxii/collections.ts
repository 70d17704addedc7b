import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { ApiError, forbidden } from '../../engine/errors.ts'
import { parseId } from '../../engine/reference.ts'
import { PUSH } from '../incoming/push.ts'
import { mayReadContent } from '../outgoing/content-access.ts'
import { aliasesOf } from './alias.ts'
import { STIX } from './media-type.ts'

/** A feed as a collection: an outgoing feed can be read, an incoming one can be written to. */
export interface Collection {
  readonly kind: 'outgoing' | 'incoming'
  readonly feed: number
  readonly id: string
  readonly title: string
  readonly description: string
  readonly created_at: string
}

/** The permissions for collections that can be read, and for those that can be written to. */
export const READING = 'read content-blocks'
export const WRITING = 'modify incoming-feeds'

/** All collections of the caller, by title. */
export const listCollections = (ctx: Context): Promise<Collection[]> => select(ctx, sql`true`)

/** Finds a collection by its id, in one query, or by its alias; a 404 if the caller may not see it. */
export async function findCollection(ctx: Context, key: string): Promise<Collection> {
  const id = parseId('uuid', key)
  if (id !== undefined) {
    const [found] = await select(ctx, sql`f.collection_id = ${id}::uuid`)
    if (found) return found
  } else {
    const found = findByName(await listCollections(ctx), key)
    if (found) return found
  }
  throw new ApiError(404, `There is no collection '${key.slice(0, 200)}'.`)
}

/** Finds a collection in a list by its id or alias. */
export function findByName(all: readonly Collection[], key: string): Collection | undefined {
  const aliases = aliasesOf(all)
  return all.find((collection) => collection.id === key.toLowerCase() || aliases.get(collection) === key)
}

/** Finds a collection, and refuses one that cannot be read. */
export async function findReadable(ctx: Context, key: string): Promise<Collection> {
  const collection = await findCollection(ctx, key)
  if (collection.kind !== 'outgoing') throw forbidden('This collection can be written to, but not read.')
  return collection
}

/** The TAXII resource of a collection. */
export const collectionResource = ({ kind, id, title, description }: Collection, alias: string | undefined) => ({
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
      and f.transport_type = 'eiq.outgoing-transports.taxii2' and ${mayReadContent(ctx, 'f')}
    union all
    select 'incoming', f.id, f.collection_id, f.name, f.description, f.created_at
    from incoming_feeds as f
    where ${permissions.has(WRITING)}::boolean and ${which}
      and f.transport_type = ${PUSH} and f.is_active
    order by title, created_at, id`.execute(ctx.db)
  return rows
}
