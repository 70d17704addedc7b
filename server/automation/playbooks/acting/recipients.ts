import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import type { Link } from '../../../engine/reference.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { asUsers } from '../../../identity/access/as-user.ts'
import { canHear } from '../../../mail/readers.ts'
import type { StepContext, Subject } from '../step.ts'
import { findLinked, leftOut } from './find-linked.ts'

/** Who gets a mail about the object of a run. */
export interface Recipients {
  readonly ids: readonly number[]
  /** Why the others get none. */
  readonly warnings: readonly string[]
}

/** The users among those that a step names who can receive mail and see the object themselves: a mail must not tell users what they may not see. */
export async function recipientsOf({ ctx, subject }: StepContext, users: readonly Link[]): Promise<Recipients> {
  const found = await findLinked(ctx, 'users', users)
  const ids = found.ids.map(Number)
  const reachable = await reachableOf(ctx, ids)
  const seeing = await seeingOf(ctx, subject, reachable)
  const deaf = ids.length - reachable.length
  const blind = reachable.length - seeing.length
  return {
    ids: seeing,
    warnings: [
      ...leftOut('user', found),
      ...(deaf > 0 ? [`Users left out because they are not active or have no address: ${deaf}.`] : []),
      ...(blind > 0 ? [`Users left out because they do not see the object: ${blind}.`] : []),
    ],
  }
}

async function reachableOf({ db }: Context, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users as u where u.id = any(${ids}::integer[]) and ${canHear('u')} order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of the users who see an object, in one statement. */
async function seeingOf(ctx: Context, { collection, id }: Subject, users: readonly number[]): Promise<number[]> {
  const resource = resourceOf(ctx, collection)
  const callers = [...(await asUsers(ctx, users)).values()].filter(({ permissions }) =>
    permissions.has(`read ${resource.permission}`),
  )
  if (callers.length === 0) return []
  const each = callers.map(
    (caller) => sql`
      select ${caller.id}::integer as id
      where exists (
        select from ${sql.table(resource.table)} as t
        where t.id = ${id}::${sql.raw(collection === 'entities' ? 'uuid' : 'integer')} and ${visible({ ...ctx, caller }, resource)})`,
  )
  const { rows } = await sql<{ id: number }>`${sql.join(each, sql` union all `)}`.execute(ctx.db)
  return rows.map((row) => row.id).sort((a, b) => a - b)
}
