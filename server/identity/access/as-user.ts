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
export async function asUser({ db }: Pick<Context, 'db'>, id: number): Promise<Seeing | undefined> {
  const { rows } = await sql<Found>`
    select u.id,
      array(
        select p.name from user_permissions as l join permissions as p on p.id = l.target where l.source = u.id
      ) as permissions,
      ${sightColumns}
    from users as u
    where u.id = ${id} and u.is_active`.execute(db)
  const [user] = rows
  if (!user) return undefined
  const { permissions, keys, sources, home, own, ownNumbers } = user
  return { id: user.id, permissions: new Set(permissions), sight: { keys, sources, home, own, ownNumbers } }
}
