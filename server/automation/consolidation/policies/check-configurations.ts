import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { badRequest, conflict } from '../../../engine/errors.ts'
import type { Id } from '../../../engine/reference.ts'

export interface CheckedConfiguration {
  readonly entity_types: readonly string[]
  readonly sources: readonly string[]
  readonly half_life_choice: string
  readonly tlp_choice: string
  readonly preferred_source: string | null
}

/** What does not fit together in a configuration, by field. */
export function configurationFaults(given: CheckedConfiguration): string[] {
  const { sources, preferred_source: preferred } = given
  const choices = (['half_life_choice', 'tlp_choice'] as const).filter((name) => given[name] === 'preferred_source')
  return [
    ...(preferred === null && choices.length > 0
      ? [
          `preferred_source: is required, because ${choices.join(' and ')} ${choices.length > 1 ? 'are' : 'is'} preferred_source`,
        ]
      : []),
    ...(preferred !== null && sources.length > 0 && !sources.includes(preferred)
      ? ['preferred_source: must be one of the sources, if there are any']
      : []),
  ]
}

/** Whether two configurations could both apply to an entity. */
export function overlapOf(
  one: Pick<CheckedConfiguration, 'entity_types' | 'sources'>,
  other: Pick<CheckedConfiguration, 'entity_types' | 'sources'>,
): readonly string[] {
  const types = one.entity_types.filter((type) => other.entity_types.includes(type))
  const isShared =
    one.sources.length === 0 || other.sources.length === 0 || one.sources.some((id) => other.sources.includes(id))
  return isShared ? types : []
}

/** Responds 400 with everything that does not fit together in a written configuration, and 409 if another one of its policy covers the same. */
export async function refuseBadConfigurations(ctx: Context, id: Id): Promise<void> {
  const { rows } = await sql<CheckedConfiguration & { id: number }>`
    select t.id, t.entity_types, t.half_life_choice, t.tlp_choice, t.preferred_source,
      array(select l.target from consolidation_configuration_sources as l where l.source = t.id) as sources
    from consolidation_configurations as t
    where t.policy_id = (select c.policy_id from consolidation_configurations as c where c.id = ${id})
    order by t.id`.execute(ctx.db)
  const written = rows.find((row) => row.id === id)
  if (!written) return
  const faults = configurationFaults(written)
  if (faults.length > 0) throw badRequest(faults)
  const clashes = rows.flatMap((row) => {
    const types = row.id === id ? [] : overlapOf(row, written)
    return types.length > 0 ? [`configuration ${row.id} already covers ${types.join(', ')} of the same sources`] : []
  })
  if (clashes.length > 0)
    throw conflict(
      `Two configurations of a policy cannot cover the same entities: ${clashes.join('; ')}. Change its types or sources first.`,
    )
}
