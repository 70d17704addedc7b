import { type RawBuilder, sql } from 'kysely'
import { BUILT_IN_ROLES, SYSTEM_ADMIN } from '../../domain/permissions.ts'
import { TLP } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { conflict, forbidden, missing } from '../../engine/errors.ts'

/**
 * Runs a write to users, roles or groups and enforces who may grant what: a caller cannot change users with more
 * permissions (`findUsers` returns the users this write affects), cannot grant permissions or visibility that they
 * lack, and cannot remove the last administrator. Such writes run one at a time, so that two concurrent writes cannot
 * together break a rule that each one keeps.
 */
export async function guarded<T>(
  ctx: Context,
  findUsers: () => readonly number[] | Promise<readonly number[]>,
  write: () => Promise<T>,
): Promise<T> {
  await lockGrants(ctx)
  const sight = await sightOf(ctx)
  await refuseMorePermissions(ctx, await findUsers())
  const unseen = sight.isAdministrator ? NOTHING : await findUnseen(ctx, sight.seen)
  const result = await write()
  await refuseGrants(ctx)
  if (!sight.isAdministrator) await refuseInvisible(ctx, sight.seen)
  await refuseNarrowing(ctx, unseen)
  await ensureAdministrator(ctx)
  return result
}

/** Throws a 403 that names the permissions these users have and the caller lacks. */
export async function refuseMorePermissions({ db, caller }: Context, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const { rows } = await sql<{ name: string }>`
    select distinct p.name
    from user_permissions as l join permissions as p on p.id = l.target
    where l.source = any(${userIds}::integer[]) and p.name <> all(${[...caller.permissions]}::text[])
    order by p.name`.execute(db)
  if (rows.length > 0) throw missing(rows.map(({ name }) => name))
}

/** Throws a 403 if these users see more than the caller: signing in as them would reveal it. */
export async function refuseWiderSight(ctx: Context, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const theirs = sql`select source from group_users where target = any(${userIds}::integer[])`
  if (await seeMore(ctx, await sightOf(ctx), theirs)) {
    throw forbidden('You cannot change the credentials of an account that sees more than you do.')
  }
}

/**
 * Throws a 403 if these roles (a subquery of ids) grant permissions, or these groups visibility, that the caller
 * lacks.
 */
export async function refuseUnheldGrants(
  ctx: Context,
  roles: RawBuilder<unknown>,
  groups: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from permissions
    where name <> all(${[...ctx.caller.permissions]}::text[])
      and id in (select target from role_permissions where source in (${roles}))
    order by name`.execute(ctx.db)
  if (rows.length > 0) throw missing(rows.map(({ name }) => name))
  if (await seeMore(ctx, await sightOf(ctx), groups)) throw wouldSeeMore()
}

/** Whether these groups see something that the caller does not. */
async function seeMore(
  { db }: Context,
  { isAdministrator, seen }: Sight,
  groups: RawBuilder<unknown>,
): Promise<boolean> {
  if (isAdministrator) return false
  const { rows } = await sql`
    select from group_sources as opened
    where opened.source in (${groups}) and not ${isSeen(seen)}
    limit 1`.execute(db)
  return rows.length > 0
}

interface Sight {
  readonly isAdministrator: boolean
  /** The sources that the caller's groups could see before this write. */
  readonly seen: { source: string; allowed_tlp: string }[]
}

/** Waits for other writes that change permissions, and holds the lock until the transaction ends. */
export async function lockGrants({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`select from roles where name = ${SYSTEM_ADMIN} and is_system for no key update`.execute(db)
}

async function sightOf({ db, caller }: Context): Promise<Sight> {
  const { rows } = await sql<Sight>`
    select
      exists (
        select from role_users as l join roles as r on r.id = l.source
        where l.target = ${caller.id} and r.name = ${SYSTEM_ADMIN} and r.is_system
      ) as "isAdministrator",
      coalesce((
        select json_agg(json_build_object('source', s.target, 'allowed_tlp', s.allowed_tlp))
        from group_users as m join group_sources as s on s.source = m.source
        where m.target = ${caller.id}
      ), '[]') as seen`.execute(db)
  return rows[0] ?? { isAdministrator: false, seen: [] }
}

/** Rows written by this transaction carry its id, which finds all links it created regardless of the path. */
const IS_NEW = sql`xmin = pg_current_xact_id()::xid`

async function refuseGrants({ db, caller }: Context): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from permissions
    where name <> all(${[...caller.permissions]}::text[]) and id in (
      select target from role_permissions where ${IS_NEW}
      union
      select target from role_permissions where source in (select source from role_users where ${IS_NEW}))
    order by name`.execute(db)
  if (rows.length > 0) throw missing(rows.map(({ name }) => name))
}

/**
 * Members of a group see everything that the group sees, so callers can only add what they see themselves. A source
 * created by this transaction is still empty.
 */
async function refuseInvisible({ db }: Context, seen: Sight['seen']): Promise<void> {
  const { rows } = await sql`
    select from group_sources as opened
    join sources as s on s.id = opened.target
    where (opened.${IS_NEW} or opened.source in (select source from group_users where ${IS_NEW}))
      and not (s.${IS_NEW} and s.created_at = now())
      and not ${isSeen(seen)}
    limit 1`.execute(db)
  if (rows.length > 0) throw wouldSeeMore()
}

/** What other users see and the caller does not: the sources that groups open, and the members of those groups. */
interface Unseen {
  readonly opened: readonly { source: number; target: string; allowed_tlp: string }[]
  readonly members: readonly { source: number; target: number }[]
}

const NOTHING: Unseen = { opened: [], members: [] }

async function findUnseen({ db }: Context, seen: Sight['seen']): Promise<Unseen> {
  const { rows } = await sql<Unseen>`
    with opened as materialized (
      select source, target, allowed_tlp from group_sources as opened where not ${isSeen(seen)}
    ), members as (
      select source, target from group_users where source in (select source from opened)
    )
    select
      coalesce((select json_agg(opened) from opened), '[]') as opened,
      coalesce((select json_agg(members) from members), '[]') as members`.execute(db)
  return rows[0] ?? NOTHING
}

/**
 * Throws a 403 if users lose access to sources that the caller cannot see. Otherwise the caller could narrow a user's
 * visibility to their own, set that user's password, and get in once the access is restored. Access that disappears
 * with a deleted user, group or source is exempt.
 */
async function refuseNarrowing({ db }: Context, { opened, members }: Unseen): Promise<void> {
  if (opened.length === 0) return
  const { rows } = await sql`
    select from jsonb_to_recordset(${JSON.stringify(opened)}::jsonb) as o(source integer, target uuid, allowed_tlp text)
    join groups as g on g.id = o.source
    join sources as s on s.id = o.target
    where not exists (
      select from group_sources as l
      where l.source = o.source and l.target = o.target and l.allowed_tlp = o.allowed_tlp)
    union all
    select from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as m(source integer, target integer)
    join groups as g on g.id = m.source
    join users as u on u.id = m.target
    where not exists (select from group_users as l where l.source = m.source and l.target = m.target)
    limit 1`.execute(db)
  if (rows.length > 0) throw forbidden('You cannot remove access to sources that you cannot see.')
}

const wouldSeeMore = () =>
  forbidden('You cannot give others access to sources that you cannot see: the group sees sources that you do not.')

/** Whether the caller already sees everything that the row `opened` of group_sources opens. */
function isSeen(seen: Sight['seen']) {
  const rank = (colour: string) => sql`array_position(${TLP}::text[], ${sql.ref(colour)})`
  return sql`exists (
    select from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as own(source uuid, allowed_tlp text)
    where own.source = opened.target and ${rank('own.allowed_tlp')} >= ${rank('opened.allowed_tlp')})`
}

async function ensureAdministrator({ db }: Context): Promise<void> {
  const names = BUILT_IN_ROLES.map(({ name }) => name)
  const { rows } = await sql<{ has_built_in: boolean; has_all: boolean; has_administrator: boolean }>`
    select
      (select count(*) from roles where is_system and name = any(${names}::text[])) = ${names.length} as has_built_in,
      not exists (
        select from permissions as p
        where p.id not in (select l.target from role_permissions as l where l.source = r.id)
      ) as has_all,
      exists (
        select from role_users as l join users as u on u.id = l.target
        where l.source = r.id and u.is_active
      ) as has_administrator
    from (values (1)) as always(one)
    left join roles as r on r.name = ${SYSTEM_ADMIN} and r.is_system`.execute(db)
  if (!rows[0]?.has_built_in) throw conflict('Built-in roles cannot be deleted or renamed.')
  if (!rows[0].has_all) throw conflict(`The role ${SYSTEM_ADMIN} always holds every permission.`)
  if (!rows[0].has_administrator) {
    throw conflict(`At least one active user must keep the role ${SYSTEM_ADMIN}, and this is the last one.`)
  }
}

/** The users who would join or leave if the members of these roles or groups were replaced by the given ones. */
export async function changedMembers(
  { db }: Context,
  through: 'role_users' | 'group_users',
  wanted: readonly (readonly [owner: number, users: readonly number[]])[],
): Promise<number[]> {
  if (wanted.length === 0) return []
  const pairs = wanted.flatMap(([owner, users]) => users.map((user): [number, number] => [owner, user]))
  const { rows } = await sql<{ id: number }>`
    select distinct coalesce(l.target, i.target) as id
    from (
      select source, target from ${sql.table(through)}
      where source = any(${wanted.map(([owner]) => owner)}::integer[])
    ) as l
    full join unnest(${pairs.map(([owner]) => owner)}::integer[], ${pairs.map(([, user]) => user)}::integer[])
      as i(source, target) on i.source = l.source and i.target = l.target
    where l.target is null or i.target is null`.execute(db)
  return rows.map(({ id }) => id)
}
