import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { type Seeing, type Sight, sightColumns } from './sight.ts'

interface Found extends Sight {
  readonly id: number
  readonly permissions: readonly string[]
}

/**
 * Returns the current permissions and visibility of a user that background work runs for; undefined if there is no
 * such active user.
 */
export const asUser = async (ctx: Pick<Context, 'db'>, id: number): Promise<Seeing | undefined> =>
  (await asUsers(ctx, [id])).get(id)

/** The same for several users, in one statement. */
export async function asUsers({ db }: Pick<Context, 'db'>, ids: readonly number[]): Promise<Map<number, Seeing>> {
  const { rows } = await sql<Found>`
    select u.id,
      array(
        select p.name from user_permissions as l join permissions as p on p.id = l.target where l.source = u.id
      ) as permissions,
      ${sightColumns}
    from users as u
    where u.id = any(${ids}::integer[]) and u.is_active`.execute(db)
  return new Map(rows.map(({ id, permissions, ...sight }) => [id, { id, permissions: new Set(permissions), sight }]))
}
