import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { candidatesFrom } from './candidates.ts'
import { longestMatches } from './longest-matches.ts'
import { isPlausible, type Place } from './plausible.ts'
import type { Token } from './tokens.ts'

/** An entity that a text names. */
export interface NamedEntity {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly isUnified: boolean
  readonly mentions: readonly Mention[]
}

/** A place in a text. */
export interface Mention {
  readonly text: string
  readonly start: number
  readonly end: number
}

export const NAME_LIMITS = {
  /** Different rows of words that are looked up. */
  candidates: 200_000,
  /** Entities with one name. */
  entities: 10,
  /** Places of one entity. */
  mentions: 100,
}

/** Possible beginnings of names that are handled before other requests get a turn. */
const PORTION = 5_000

interface Known {
  readonly name: string
  readonly spelling: string
  readonly id: string
  readonly type: string
  readonly title: string
  readonly isUnified: boolean
}

/** The entities that a text names, as far as the caller sees them, in the order of their first mention. */
export async function findEntities(
  ctx: Context,
  text: string,
  tokens: readonly Token[],
): Promise<{ readonly entities: readonly NamedEntity[]; readonly isComplete: boolean }> {
  const firsts = await firstWords(ctx, tokens)
  const isFirst = (word: string) => firsts.has(word)
  const names = new Set<string>()
  let isComplete = true
  let count = 0
  for (const candidates of candidatesFrom(text, tokens, isFirst)) {
    for (const { name } of candidates) names.add(name)
    if (++count % PORTION === 0) await setImmediate()
    if (names.size < NAME_LIMITS.candidates) continue
    isComplete = false
    break
  }
  const known = Map.groupBy(await entitiesNamed(ctx, [...names]), ({ name }) => name)
  const meaningOf = (name: string, place: Place): Known[] | undefined => {
    const meant = (known.get(name) ?? []).filter(({ type, spelling }) => isPlausible(place, type, spelling))
    return meant.length > 0 ? meant : undefined
  }
  const found = new Map<string, { entity: Known; mentions: Mention[] }>()
  for (const { start, end, meaning } of known.size > 0 ? longestMatches(text, tokens, isFirst, meaningOf) : [])
    for (const entity of meaning) {
      const entry = found.get(entity.id) ?? { entity, mentions: [] }
      found.set(entity.id, entry)
      if (entry.mentions.length < NAME_LIMITS.mentions)
        entry.mentions.push({ text: text.slice(start, end), start, end })
    }
  const entities = [...found.values()].map(({ entity: { name: _name, spelling: _spelling, ...entity }, mentions }) => ({
    ...entity,
    mentions,
  }))
  return { entities, isComplete }
}

/** The words with which the name of any entity begins. They narrow the rows of words that are looked up; callers do not learn them. */
async function firstWords({ db }: Context, tokens: readonly Token[]): Promise<ReadonlySet<string>> {
  const words = [...new Set(tokens.map(({ word }) => word))].filter(isStorable)
  if (words.length === 0) return new Set()
  const { rows } = await sql<{ word: string }>`
    select w.word
    from unnest(${words}::text[]) as w(word)
    where exists (select from entity_names as n where split_part(n.name, ' ', 1) collate "C" = w.word)`.execute(db)
  return new Set(rows.map(({ word }) => word))
}

const isStorable = (word: string): boolean => word !== '' && !word.includes('\0')

/** The entities with these names that the caller sees. Unified entities come before their contributors. */
async function entitiesNamed(ctx: Context, names: readonly string[]): Promise<readonly Known[]> {
  if (names.length === 0) return []
  const { rows } = await sql<Known>`
    select a.name, e.spelling, e.id, e.type, e.title, e."isUnified"
    from unnest(${names}::text[]) as a(name)
    cross join lateral (
      select n.spelling, t.id, t.type, coalesce(nullif(t.meta ->> 'alias', ''), nullif(t.data ->> 'title', ''), t.type) as title,
        t.is_unified as "isUnified"
      from entity_names as n join entities as t on t.id = n.entity
      where n.name = a.name and not t.is_unresolved and ${visible(ctx, resourceOf(ctx, 'entities'))}
      order by t.is_unified desc, t.id
      limit ${NAME_LIMITS.entities}
    ) as e`.execute(ctx.db)
  return rows
}
