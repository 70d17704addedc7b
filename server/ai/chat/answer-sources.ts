import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { fetchRows } from '../../engine/fetch.ts'
import { resourceOf } from '../../engine/select.ts'
import { outsideWork } from '../../engine/work.ts'
import type { Assistant } from '../asking/assistant.ts'
import { inputEntity } from '../inputs/input-entities.ts'
import type { Earlier } from './history.ts'

/** An answer that begins like another one in fewer characters says little. */
const SHORTEST = 16
const HASH_BYTES = 12

/** Hashes of the whole answer and of its beginnings: clients also send answers that they stopped, or whose end they changed. */
function beginningsOf(answer: string): Buffer[] {
  const text = answer.trim().toWellFormed()
  const lengths: number[] = []
  for (let length = SHORTEST; length < text.length; length *= 2) lengths.push(length)
  return [...lengths, text.length].map((length) => hashOf(text.slice(0, length)))
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, HASH_BYTES)

/** Notes what an answer began with, next to the entities that it was made from, for the conversation that it becomes a part of. */
export async function rememberAnswer({ db }: Context, request: string | undefined, answer: string): Promise<void> {
  if (request === undefined || answer.trim() === '') return
  // The client may have stopped the answer.
  await outsideWork(() =>
    sql`update ai_requests set answer_beginnings = ${beginningsOf(answer)}::bytea[] where id = ${request}`.execute(db),
  )
}

interface Admitted {
  readonly history: readonly Earlier[]
  readonly notes: readonly string[]
}

/**
 * Leaves out answers that were made from entities which the caller does not see any more, or which the provider may not receive: they may
 * be from another provider, or from before a colour was raised. The sources of the others are inputs of the next answer.
 */
export async function admittedHistory(
  ctx: Context,
  assistant: Assistant,
  history: readonly Earlier[],
): Promise<Admitted> {
  const sources = await sourcesOf(ctx, history)
  const ids = [...new Set([...sources.values()].flat())]
  const seen = (await fetchRows(ctx, resourceOf(ctx, 'entities'), ids)).map(inputEntity)
  const { ceiling, provider } = assistant.ready
  const free = new Map(seen.filter(({ tlp }) => tlpRank(tlp) <= tlpRank(ceiling)).map((entity) => [entity.id, entity]))
  const isFree = (_: Earlier, i: number): boolean => (sources.get(i) ?? []).every((id) => free.has(id))
  const kept = history.filter(isFree)
  const used = history.flatMap((message, i) => (isFree(message, i) ? (sources.get(i) ?? []) : []))
  assistant.admit([...new Set(used)].flatMap((id) => free.get(id) ?? []))
  const count = history.length - kept.length
  if (count === 0) return { history: kept, notes: [] }
  const note = `Not used: ${count} of your earlier answers, from sources that you cannot read any more or that ${provider} may not receive (at most TLP:${ceiling}).`
  return { history: kept, notes: [note] }
}

/** The entities behind each message that one of the caller's answers begins like, by its position. */
async function sourcesOf({ db, caller }: Context, history: readonly Earlier[]): Promise<Map<number, string[]>> {
  const asked = history.flatMap(({ role, content }, n) =>
    // The longest beginning of the message, and all of it.
    role === 'assistant' && content.trim() !== ''
      ? beginningsOf(content)
          .slice(-2)
          .map((hash) => ({ n, hash }))
      : [],
  )
  if (asked.length === 0) return new Map()
  const { rows } = await sql<{ n: number; entities: string[] }>`
    select i.n, array_agg(distinct e.id) as entities
    from unnest(${asked.map(({ n }) => n)}::integer[], ${asked.map(({ hash }) => hash)}::bytea[]) as i(n, hash)
    join ai_requests as r on r.user_id = ${caller.id} and r.answer_beginnings @> array[i.hash]
    cross join unnest(r.entities) as e(id)
    group by i.n`.execute(db)
  return new Map(rows.map(({ n, entities }) => [n, entities]))
}
