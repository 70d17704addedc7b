import { sql } from 'kysely'
import { referencedIds } from '../../domain/stix-ids.ts'
import { textList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'
import type { Draft } from './drafts.ts'
import type { Outcome } from './outcome.ts'

/** How many placeholders one file makes: a document may refer to any number of unknown objects. */
export const PLACEHOLDER_LIMIT = 10_000

/** What became of a batch, and how many placeholders were made for it. */
export interface Stored {
  readonly outcomes: readonly Outcome[]
  readonly placeholders: number
}

/** Why something leads nowhere. */
export const NO_MORE_PLACEHOLDERS = `A file makes at most ${PLACEHOLDER_LIMIT} placeholders.`

/** Which references of drafts get placeholders, within the limit. */
export interface Room {
  readonly made: number
  mayBeMade(stixId: string): boolean
  /** Drafts with a line of what they refer to in vain. */
  told(draft: Draft): Draft
}

export async function roomFor(ctx: Context, drafts: readonly Draft[], left: number): Promise<Room> {
  const wanted = new Set(drafts.flatMap(missingFrom))
  const known = await knownAmong(ctx, [...wanted])
  const absent = [...wanted].filter((id) => !known.has(id))
  const denied = new Set(absent.slice(Math.max(0, left)))
  return {
    made: absent.length - denied.size,
    mayBeMade: (id) => !denied.has(id),
    told: (draft) => {
      const lost = denied.size === 0 ? [] : missingFrom(draft).filter((id) => denied.has(id))
      if (lost.length === 0) return draft
      const line = `${lost.length} references lead to objects that are neither in the file nor known, such as '${lost[0]}'.`
      return { ...draft, losses: [...draft.losses, `${line} ${NO_MORE_PLACEHOLDERS}`] }
    },
  }
}

const missingFrom = ({ located, item }: Draft): readonly string[] =>
  located.finding.entity.missing ?? referencedIds(item.data)

async function knownAmong(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ stix_id: string }>`
    select stix_id from entities where stix_id = any(${textList(ids)}::text[])`.execute(ctx.db)
  return new Set(rows.map(({ stix_id }) => stix_id))
}
