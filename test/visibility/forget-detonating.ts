import { type Kysely, sql } from 'kysely'
import type { Partly } from './forget.ts'
import { id } from './instance.ts'
import { isAskedBy, isReportSeen } from './seen-detonating.ts'

/** Changes reports that the viewer does not see, and who else asked for the same: the viewer must not notice. */
export async function changeUnseenReports(db: Kysely<unknown>, twins: readonly Partly[]): Promise<void> {
  const all = twins.flatMap(({ instance, seen, viewer }) => {
    const { detonators, detonations } = instance.world.holdings
    const isSeen = isReportSeen(detonators, seen)
    return detonations.map((each) => ({
      id: id(instance, each.name),
      user: id(instance, viewer),
      isOwn: isAskedBy(each, viewer),
      isSeen: isSeen(each),
      hasEnded: each.requesters.some(({ person, outcome }) => person === viewer && outcome !== null),
    }))
  })
  const idsOf = (isWanted: (each: (typeof all)[number]) => boolean) => all.filter(isWanted).map((each) => each.id)
  const own = all.filter(({ isOwn }) => isOwn)
  await sql`
    delete from detonation_requesters as r
    using unnest(${own.map((each) => each.id)}::uuid[], ${own.map(({ user }) => user)}::integer[]) as i(id, "user")
    where r.detonation = i.id and r."user" <> i."user"`.execute(db)
  await sql`
    update detonation_requesters set filename = 'other', file = null, attachment = null, observable = null, origin = null
    where detonation = any(${idsOf(({ isOwn }) => !isOwn)}::uuid[])`.execute(db)
  const unread = idsOf(({ isSeen }) => !isSeen)
  await sql`
    update detonations as t
    set name = 'other', verdict = 'clean', score = 1, families = '{other}', tags = '{other}', environment = 'other', entity = null,
      report = null, entities = '[]', extracts = '[]', signatures = '[]', screenshots = '[]', warnings = '{}', created_at = r.requested_at
    from detonation_requesters as r
    where r.detonation = t.id and t.id = any(${unread}::uuid[])`.execute(db)
  // It goes on for others.
  await sql`
    update detonations
    set state = 'WAITING', state_reason = 'other', vendor_url = null, was_known = not was_known, submitted_at = null, finished_at = null
    where id = any(${idsOf(({ isSeen, hasEnded }) => !isSeen && hasEnded)}::uuid[])`.execute(db)
}
