import { sql } from 'kysely'
import type { Context } from '../../engine/resource.ts'
import { type Seeing, type Sight, sightColumns } from './sight.ts'

interface Found extends Sight {
  readonly id: number
  readonly permissions: readonly string[]
}

/** Who background work is done for: what a user may do and see now; undefined when there is no such user who is active. */
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
