import { sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { forbidden, notFound } from '../engine/errors.ts'
import { requireVisible } from '../engine/fetch.ts'
import { ref, text } from '../engine/field.ts'
import { routesBelow } from '../engine/nested-routes.ts'
import type { Id } from '../engine/reference.ts'
import { defineResource } from '../engine/resource.ts'
import type { Route } from '../engine/route.ts'
import { resourceOf, visible } from '../engine/select.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'

const MAX_TEXT_LENGTH = 100_000
/** Callers who manage users also moderate their comments. */
const MODERATES = 'modify users'

type Owners = 'workspaces' | 'tickets'

/** Comments on the objects of a collection, visible to everyone who can see their object. */
function defineComments(owners: Owners, collection: 'workspace_comments' | 'ticket_comments') {
  const one = owners.slice(0, -1)
  const { created_at, created_by, last_updated_at } = stamps
  const { list, get, create, update, remove } = standard
  return defineResource({
    collection,
    title: `${one[0]?.toUpperCase()}${one.slice(1)} comment`,
    doc: `A comment on a ${one}.`,
    // Only the id distinguishes comments, so there are no bulk writes.
    key: ['owner', 'text'],
    fields: {
      owner: ref(owners).hidden(),
      text: text(1, MAX_TEXT_LENGTH).required(),
      created_at,
      created_by,
      last_updated_at,
    },
    search: { filters: { owner: ref(owners) } },
    example: { text: 'Seen again this morning.' },
    visible: (ctx, t) => sql`exists (
      select from ${sql.table(owners)} as about
      where about.id = ${sql.ref(`${t}.owner`)} and ${visible(ctx, resourceOf(ctx, owners), 'about')})`,
    operations: {
      list,
      get,
      create,
      update,
      remove,
    },
  })
}

const COMMENTS = {
  tickets: defineComments('tickets', 'ticket_comments'),
  workspaces: defineComments('workspaces', 'workspace_comments'),
}

/** The permission to comment on the objects of a collection. */
export const toComment = (owners: Owners): string => `modify ${COMMENTS[owners].permission}`

/** Adds a comment of the caller to an object. A 404 if they do not see it. */
export async function addComment(ctx: Context, owners: Owners, owner: Id, text: string): Promise<Id> {
  await requireVisible(ctx, resourceOf(ctx, owners), owner)
  const row = await standard.create(ctx, COMMENTS[owners], { owner, text })
  return row.id
}

/** The endpoints for comments, which are nested under their object. */
export function commentRoutes(owners: Owners): readonly Route[] {
  const comments = COMMENTS[owners]
  const { collection } = comments
  const check = async (ctx: Context, owner: Id, id: Id, verb: string): Promise<void> => {
    const { rows } = await sql<{ created_by: number | null }>`
      select created_by from ${sql.table(collection)} where id = ${id} and owner = ${owner}`.execute(ctx.db)
    if (!rows[0]) throw notFound(id)
    if (verb !== 'get') refuseOthers(ctx, rows[0].created_by, verb)
  }
  return routesBelow(
    { owners, segment: 'comments', verbs: ['list', 'get', 'create', 'update', 'delete'], check },
    comments,
  )
}

function refuseOthers({ caller }: Context, author: number | null, verb: string): void {
  if (author === caller.id) return
  if (verb === 'update') throw forbidden('Only the author can change a comment.')
  if (!caller.permissions.has(MODERATES))
    throw forbidden(`Only the author, or a user with the permission '${MODERATES}', can delete a comment.`)
}
