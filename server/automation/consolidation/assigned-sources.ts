import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { assignedKey, isAssigned } from './matching/keys.ts'
import type { Neighbour } from './neighbourhood.ts'

/** The numbers of the sources in which persons joined entities, by the keys that these share. */
export async function readAssignedSources(
  { db }: Pick<Context, 'db'>,
  neighbours: readonly Neighbour[],
): Promise<ReadonlyMap<string, number>> {
  const keys = new Set(neighbours.flatMap(({ keys }) => keys.filter(isAssigned)))
  if (keys.size === 0) return new Map()
  const ids = [...keys].map((key) => key.slice(assignedKey('').length))
  const { rows } = await sql<{ id: string; source: number }>`
    select id, source from assigned_groups where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, source }) => [assignedKey(id), source]))
}
