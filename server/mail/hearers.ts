import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Collection } from '../collections.ts'
import type { Context } from '../engine/context.ts'
import { NOBODY } from '../engine/route.ts'
import { resourceOf, visible } from '../engine/select.ts'
import { MAX_NOTIFICATIONS, type News } from './content.ts'
import { mailTask, queueMails } from './outbox.ts'
import { canHear } from './readers.ts'

/** A kind of notification about objects of a collection, and its recipients. */
export interface Happening {
  /** The user setting that disables it. */
  readonly choice:
    | 'ticket_assigned'
    | 'comment_added'
    | 'task_run_failed'
    | 'feed_stale'
    | 'enricher_suspended'
    | 'detonator_suspended'
    | 'detonation_ended'
    | 'entity_discovered'
    | 'playbook_failed'
    | 'playbook_paused'
  readonly collection: Collection
  /** The permissions that a recipient needs. */
  readonly permissions: readonly string[]
  /** Rows of `about` (the id of an object), `user`, `actor` (the id of the user who did it, or null) and `write` (which write it was; later ones are higher). */
  readonly concerned: RawBuilder<unknown>
  /** The name of the object `o`. */
  readonly name: RawBuilder<unknown>
  /** What else the text needs, of the row `c` of `concerned`. */
  readonly detail?: RawBuilder<unknown>
  /** The text of the notification, and the path of the page that shows it; `actor` is null for users who may not see them. */
  tell(object: Pick<Heard, 'id' | 'name' | 'actor' | 'detail'>): { readonly text: string; readonly path: string }
}

interface Heard {
  readonly user: number
  readonly write: number
  readonly id: string | number
  readonly name: string
  readonly actor: string | null
  readonly detail: unknown
}

/**
 * Mails notifications to users who enabled them and can see the object, but never to the user who acted. Each user gets one mail
 * per write, in the order of the writes.
 */
export async function tellOf(ctx: Context, happenings: readonly Happening[]): Promise<void> {
  const task = await mailTask(ctx.db)
  if (task === undefined) return
  const heard: { readonly user: number; readonly write: number; readonly news: News }[] = []
  for (const happening of happenings) {
    for (const { user, write, ...object } of await hearersOf(ctx, happening)) {
      const { text, path } = happening.tell(object)
      const url = ctx.publicUrl === undefined ? null : `${ctx.publicUrl}${path}`
      heard.push({ user, write, news: { text, url } })
    }
  }
  const inOrder = heard.toSorted((a, b) => a.write - b.write)
  const mails = [...Map.groupBy(inOrder, ({ user, write }) => `${write} ${user}`).values()].map((own) => ({
    kind: 'news' as const,
    user: own[0]?.user ?? null,
    content: { news: own.slice(0, MAX_NOTIFICATIONS).map(({ news }) => news), total: own.length },
  }))
  await queueMails(ctx, task, mails)
}

async function hearersOf(
  ctx: Context,
  { choice, collection, permissions, concerned, name, detail = sql`null` }: Happening,
): Promise<Heard[]> {
  const resource = resourceOf(ctx, collection)
  const { rows } = await sql<Heard>`
    select hearer.id as "user", c.write, o.id, ${name} as name, ${detail} as detail,
      (select a.username from users as a where a.id = c.actor and ${holdsAll(['read users'])}) as actor
    from (${concerned}) as c
    join users as hearer on hearer.id = c."user"
    join ${sql.table(resource.table)} as o on o.id = c.about
    left join notification_choices as chosen on chosen."user" = hearer.id
    where hearer.id is distinct from c.actor and ${canHear('hearer')} and coalesce(chosen.${sql.ref(choice)}, true)
      and ${holdsAll(permissions)} and ${visible(asEach(ctx), resource, 'o')}
    order by hearer.id, o.id`.execute(ctx.db)
  return rows
}

/** Whether the user `hearer` has all of these permissions. */
const holdsAll = (permissions: readonly string[]): RawBuilder<SqlBool> => sql`(
  select count(*) = ${permissions.length}
  from user_permissions as l join permissions as p on p.id = l.target
  where l.source = hearer.id and p.name = any(${permissions}::text[]))`

/** Checks visibility for all users `hearer` at once. Where it depends on more than the user, nothing is visible. */
const asEach = (ctx: Context): Context => ({
  ...ctx,
  caller: { ...NOBODY, id: sql.ref('hearer.id') as unknown as number },
})
