import { sql } from 'kysely'
import { referencedIds } from '../../domain/stix-ids.ts'
import type { Context } from '../../engine/context.ts'
import { textList } from '../../fast/binary-arrays.ts'
import type { Outcome } from './outcome.ts'
import type { ParsedEntity } from './parse-entity.ts'

/** The maximum number of placeholders per file: a document may refer to any number of unknown objects. */
export const PLACEHOLDER_LIMIT = 10_000

/** The outcomes of a batch, and the number of placeholders that it created. */
export interface Stored {
  readonly outcomes: readonly Outcome[]
  readonly placeholders: number
}

/** Why a reference was not stored. */
export const NO_MORE_PLACEHOLDERS = `A file can create at most ${PLACEHOLDER_LIMIT} placeholders.`

/** The references that get placeholders. */
export interface PlaceholderBudget {
  /** How many placeholders are needed and allowed. */
  readonly count: number
  allows(stixId: string): boolean
  /** Adds the references that get no placeholder to the losses of an entity. */
  withLosses(entity: ParsedEntity): ParsedEntity
}

/** Decides which missing entities get placeholders if `left` more are allowed. */
export async function placeholderBudget(
  ctx: Context,
  entities: readonly ParsedEntity[],
  left: number,
): Promise<PlaceholderBudget> {
  const wanted = new Set(entities.flatMap(missingFrom))
  const known = await knownStixIds(ctx, [...wanted])
  const absent = [...wanted].filter((id) => !known.has(id))
  const denied = new Set(absent.slice(Math.max(0, left)))
  return {
    count: absent.length - denied.size,
    allows: (id) => !denied.has(id),
    withLosses: (entity) => {
      const lost = denied.size === 0 ? [] : missingFrom(entity).filter((id) => denied.has(id))
      if (lost.length === 0) return entity
      const line = `${lost.length} references lead to objects that are neither in the file nor known, such as '${lost[0]}'.`
      return { ...entity, losses: [...entity.losses, `${line} ${NO_MORE_PLACEHOLDERS}`] }
    },
  }
}

const missingFrom = ({ located, item }: ParsedEntity): readonly string[] =>
  located.finding.entity.missing ?? referencedIds(item.data)

/** Those of these STIX ids that entities have, visible or not. */
export async function knownStixIds(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ stix_id: string }>`
    select stix_id from entities where stix_id = any(${textList(ids)}::text[])`.execute(ctx.db)
  return new Set(rows.map(({ stix_id }) => stix_id))
}
