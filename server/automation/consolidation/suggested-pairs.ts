import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import type { Suggested } from './decide.ts'
import { describeKey } from './matching/keys.ts'

/** A stored pair, and what was said about it. */
export interface StoredPair {
  readonly id: number
  readonly first: string
  readonly second: string
  readonly state: 'open' | 'accepted' | 'refused'
  /** The kinds and values of its reasons. */
  readonly reasons: readonly { readonly kind: string; readonly value: string }[]
}

/** A pair as one text. */
export const pairOf = (first: string, second: string): string => `${first} ${second}`

/** The pairs that have one of these entities. */
export async function readPairs({ db }: Pick<Context, 'db'>, entities: readonly string[]): Promise<StoredPair[]> {
  const ids = uuidList(entities)
  const { rows } = await sql<StoredPair>`
    select s.id, s.first, s.second, s.state, s.reasons from consolidation_suggestions as s where s.first = any(${ids}::uuid[])
    union
    select s.id, s.first, s.second, s.state, s.reasons from consolidation_suggestions as s where s.second = any(${ids}::uuid[])`.execute(
    db,
  )
  return rows
}

/**
 * Stores what is suggested for the entities of the core, and deletes open suggestions that do not hold any more. What a person decided stays
 * as long as both entities exist. Returns how many are new.
 */
export async function storeSuggestions(
  { db }: Pick<Context, 'db'>,
  pairs: readonly StoredPair[],
  suggestions: readonly Suggested[],
  core: ReadonlySet<string>,
  gone: ReadonlySet<string>,
  types: ReadonlyMap<string, string>,
): Promise<number> {
  const known = new Map(pairs.map((pair) => [pairOf(pair.first, pair.second), pair]))
  const wanted = suggestions.map(({ first, second, keys }) => ({
    first,
    second,
    type: types.get(first) ?? '',
    reasons: keys.map(describeKey),
  }))
  const changed = wanted.filter(({ first, second, reasons }) => {
    const pair = known.get(pairOf(first, second))
    return !pair || (pair.state === 'open' && textOf(pair.reasons) !== textOf(reasons))
  })
  const current = new Set(wanted.map(({ first, second }) => pairOf(first, second)))
  const outdated = pairs.filter(({ first, second, state }) => {
    if (gone.has(first) || gone.has(second)) return true
    return state === 'open' && (core.has(first) || core.has(second)) && !current.has(pairOf(first, second))
  })
  if (changed.length + outdated.length === 0) return 0
  await sql`
    with outdated as (
      delete from consolidation_suggestions where id = any(${outdated.map(({ id }) => id)}::bigint[])
    )
    insert into consolidation_suggestions (first, second, type, reasons)
    select i.first, i.second, i.type, i.reasons
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as i(first uuid, second uuid, type text, reasons jsonb)
    on conflict (first, second) do update set reasons = excluded.reasons`.execute(db)
  return changed.filter(({ first, second }) => !known.has(pairOf(first, second))).length
}

const textOf = (reasons: StoredPair['reasons']): string =>
  reasons.map(({ kind, value }) => `${kind}:${value}`).join('\n')
