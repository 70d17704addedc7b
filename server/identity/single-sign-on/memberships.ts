import { sql } from 'kysely'
import { SYSTEM_ADMIN } from '../../domain/permissions.ts'
import type { Context, Item } from '../../engine/context.ts'
import { refsOf } from '../../engine/links.ts'
import { linkReturned, linksLogged } from '../../engine/log.ts'
import { lockGrants } from '../access/grants.ts'
import type { IdentityProvider } from '../openid/providers.ts'
import { users } from '../users.ts'
import { isDistributedClaim, valuesOf } from './claims.ts'

/**
 * Grants a user the groups and roles that their claims map to and, if the provider is set to, revokes those it
 * granted earlier that no longer apply. Memberships granted by hand are kept.
 */
export async function applyMappings(ctx: Context, provider: IdentityProvider, user: number, claims: Item) {
  const { rows } = await sql<{ id: number; claim: string; value: string }>`
    select id, claim, value from identity_provider_mappings where identity_provider = ${provider.id}`.execute(ctx.db)
  const told = new Map([...new Set(rows.map(({ claim }) => claim))].map((claim) => [claim, valuesOf(claims, claim)]))
  const applied = rows.filter(({ claim, value }) => told.get(claim)?.includes(value)).map(({ id }) => id)
  // A claim that is delivered elsewhere proves nothing: neither that it has a value, nor that it does not.
  const isAllTold = ![...told.keys()].some((claim) => isDistributedClaim(claims, claim))
  await lockGrants(ctx)
  for (const field of ['groups', 'roles'] as const) {
    const following = { field, provider: provider.id, user, mappings: applied }
    if (provider.removes_memberships && isAllTold) await revoke(ctx, following)
    if (applied.length > 0) await give(ctx, following)
  }
}

/** The groups and roles that the mappings of a provider grant to a user. */
interface MappedMemberships {
  readonly field: keyof typeof MAPPED
  readonly provider: number
  readonly user: number
  readonly mappings: readonly number[]
}

const MAPPED = { groups: 'identity_provider_mapping_groups', roles: 'identity_provider_mapping_roles' }

const mapped = ({ field, mappings }: MappedMemberships) =>
  sql`select target from ${sql.table(MAPPED[field])} where source = any(${mappings}::integer[])`

async function give(ctx: Context, following: MappedMemberships): Promise<void> {
  const { field, provider, user } = following
  const storage = refsOf(users, field)
  await sql`
    with made as (
      insert into ${sql.table(storage.through)} as l (source, target, given_by)
      select distinct m.target, ${user}::integer, ${provider}::integer
      from (${mapped(following)}) as m
      on conflict do nothing
      returning ${linkReturned(storage)}
    ), ${linksLogged(ctx, users, field, 'link', sql`made`)}
    select`.execute(ctx.db)
}

/** The last administrator keeps the role, whatever a provider says. */
const isLastAdministrator = sql`(
  exists (select from roles as r where r.id = l.source and r.name = ${SYSTEM_ADMIN} and r.is_system)
  and not exists (
    select from role_users as o join users as u on u.id = o.target
    where o.source = l.source and o.target <> l.target and u.is_active))`

async function revoke(ctx: Context, following: MappedMemberships): Promise<void> {
  const { field, provider, user } = following
  const storage = refsOf(users, field)
  await sql`
    with gone as (
      delete from ${sql.table(storage.through)} as l
      where l.target = ${user} and l.given_by = ${provider} and l.source not in (${mapped(following)})
        ${field === 'roles' ? sql`and not ${isLastAdministrator}` : sql``}
      returning ${linkReturned(storage)}
    ), ${linksLogged(ctx, users, field, 'unlink', sql`gone`)}
    select`.execute(ctx.db)
}
