import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { storableText } from '../../domain/storable-text.ts'
import { type Tlp, tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { resourceOf } from '../../engine/select.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { rankOf } from '../../identity/access/visibility.ts'
import type { Feature } from '../features.ts'
import { type InputEntity, inputEntity } from '../inputs/input-entities.ts'
import { type Meaning, meaningOf, nearest } from './by-meaning.ts'
import { passagesByWords } from './by-words.ts'
import { readSetup } from './setup.ts'

/** A piece of the text of an entity. */
export interface Passage {
  readonly entity: InputEntity
  readonly text: string
}

export interface Wanted {
  readonly query: string
  readonly limit: number
  readonly signal: AbortSignal
  /** The most restricted colour of the passages: what may be sent to the provider that answers. */
  readonly ceiling: Tlp
  /** The colour of the entity that the query quotes; if absent, it has only the caller's own words. */
  readonly quotedTlp?: Tlp | undefined
  /** The feature that searches; if absent, the assistant. */
  readonly feature?: Feature
}

export interface Found {
  readonly passages: readonly Passage[]
  /** Whether they were also found by their meaning, and not by their words alone. */
  readonly isSemantic: boolean
}

const MAX_QUERY = 8_000
/** Of each kind of search. */
const CANDIDATES = 200

/** Finds what the caller sees that may answer a query, best first. Do not call it in a transaction: it may ask a provider. */
export async function findPassages(ctx: Context, wanted: Wanted): Promise<Found> {
  const { limit, signal, ceiling, quotedTlp = 'NONE' } = wanted
  const { embedder } = await readSetup(ctx)
  const query = storableText(wanted.query, MAX_QUERY)
  // A quotation is sent to a provider only if the entity itself may be.
  const isSent = embedder && tlpRank(quotedTlp) <= tlpRank(embedder.ceiling)
  const paid = isSent ? { ...embedder, feature: wanted.feature ?? embedder.feature } : undefined
  const meaning = paid && (await meaningOf(ctx, paid, query, signal))
  return { passages: await searchPassages(ctx, { query, meaning, limit, ceiling }), isSemantic: meaning !== undefined }
}

interface Searched extends Pick<Wanted, 'query' | 'limit' | 'ceiling'> {
  readonly meaning: Meaning | undefined
}

/** Searches by words and, if it is known, by the meaning of the query. */
export async function searchPassages(ctx: Context, { query, meaning, limit, ceiling }: Searched): Promise<Passage[]> {
  const isSeen = (key: RawBuilder<unknown>) =>
    sql<SqlBool>`(${holdsKey(ctx, key)} and ${rankOf(key)} <= ${tlpRank(ceiling)})`
  const near = meaning && (await nearest(ctx, meaning, isSeen, CANDIDATES))
  const named = await passagesByWords(ctx, query, isSeen, CANDIDATES)
  const ids = near ? fused([near, named]) : named
  // Some may not be shown any more, and some say the same.
  const passages = await readPassages(ctx, ids.slice(0, 3 * limit), ceiling)
  return distinct(passages).slice(0, limit)
}

/** A unified entity has texts of its contributors, and reports come through several feeds: the same words twice say nothing more. */
function distinct(passages: readonly Passage[]): Passage[] {
  const texts = new Set<string>()
  return passages.filter(({ text }) => texts.size < texts.add(text).size)
}

/** The usual constant of reciprocal rank fusion: the first ranks of one list do not outweigh what is in both. */
const K = 60

function fused(lists: readonly (readonly number[])[]): number[] {
  const scores = new Map<number, number>()
  for (const list of lists)
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + rank + 1))
  return [...scores].sort(([a, one], [b, other]) => other - one || b - a).map(([id]) => id)
}

/**
 * The passages with these ids, in this order. Their keys may be outdated for a moment, so that their entities are read as the caller
 * sees them now.
 */
async function readPassages(ctx: Context, ids: readonly number[], ceiling: Tlp): Promise<Passage[]> {
  const { rows } = await sql<{ id: number; entity: string; text: string; heading: string }>`
    select p.id, p.entity, p.text, p.heading from passages as p where p.id = any(${ids}::bigint[])`.execute(ctx.db)
  const entities = await fetchRows(ctx, resourceOf(ctx, 'entities'), [...new Set(rows.map(({ entity }) => entity))])
  const byId = new Map(entities.map((row) => [String(row.id), inputEntity(row)]))
  const known = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const passage = known.get(id)
    const entity = passage && byId.get(passage.entity)
    if (!passage || !entity || tlpRank(entity.tlp) > tlpRank(ceiling)) return []
    return [{ entity, text: passage.text === '' ? passage.heading : passage.text }]
  })
}
