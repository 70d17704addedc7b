import { parseArgs } from 'node:util'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { nearest } from '../server/ai/retrieval/by-meaning.ts'
import { passagesByWords } from '../server/ai/retrieval/by-words.ts'
import type { Context } from '../server/engine/context.ts'
import { findToken } from '../server/identity/access/callers.ts'
import { holdsKey } from '../server/identity/access/sight.ts'
import { rankOf } from '../server/identity/access/visibility.ts'
import { resourceMap } from '../server/registry.ts'
import { taskTypes } from '../server/tasks.ts'
import { generator, loadPassages, vectorNear, wordsFrom } from './passages.ts'
import { at, timed } from './replayed.ts'
import { startServer } from './server.ts'

/** How much longer a search may take than counting the same rows. */
const MAX_RATIO = 2
const WARM_UP = 3
const CANDIDATES = 200
const WORDS_PER_QUERY = 6

/**
 * Compares how long finding passages takes with counting those that the reader sees, and what is found by meaning with all vectors that the
 * reader sees. With `--data` the folder is kept for later runs.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      passages: { type: 'string', default: '100000' },
      scale: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '40' },
      data: { type: 'string' },
    },
  })
  const server = await startServer(values.data)
  try {
    const reader = await loadPassages(server, Math.floor(Number(values.passages) * Number(values.scale)))
    for (const [name, token] of [
      ['reader of a fifth', reader],
      ['administrator', server.token],
    ] as const) {
      const caller = (await findToken(server.db, token))?.caller
      if (!caller) throw new Error('The token is unknown.')
      const vault = { seal: (text: string) => text, open: (text: string) => text }
      await measure(
        name,
        { db: server.db, vault, resources: resourceMap, taskTypes, caller, baseUrl: '' },
        Number(values.rounds),
        token === reader,
      )
    }
  } finally {
    await server.stop()
  }
}

async function measure(name: string, ctx: Context, rounds: number, isRestricted: boolean): Promise<void> {
  const isSeen = (key: RawBuilder<unknown>) => sql<SqlBool>`(${holdsKey(ctx, key)} and ${rankOf(key)} <= 4)`
  const { rows } = await sql<{ id: number; count: number }>`
    select s.id, (select count(*) from passages as p where ${isSeen(sql`p.vis`)}) as count from passage_spaces as s where s.is_current`.execute(
    ctx.db,
  )
  const space = { id: rows[0]?.id ?? 0 }
  const kinds = {
    'count by meaning': () =>
      sql`select count(*) from passage_codes as c where c.space = ${space.id} and ${isSeen(sql`c.vis`)}`.execute(
        ctx.db,
      ),
    'by meaning': (round: number) => nearest(ctx, space, queryOf(round), isSeen, CANDIDATES),
    'count by words': () => sql`select count(*) from passages as p where ${isSeen(sql`p.vis`)}`.execute(ctx.db),
    'by words': (round: number) =>
      passagesByWords(ctx, wordsFrom(generator(-round), WORDS_PER_QUERY, 1.5), isSeen, CANDIDATES),
  }
  console.log(`${name}, who sees ${rows[0]?.count} passages: milliseconds`)
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]))
  for (let round = -WARM_UP; round < rounds; round++)
    for (const [kind, run] of Object.entries(kinds)) {
      const took = await timed(() => run(round))
      if (round >= 0) times.get(kind)?.push(took)
    }
  for (const [kind, list] of times) {
    const ratio = at(list, 0.5) / at(times.get(`count ${kind}`) ?? [], 0.5)
    const verdict =
      Number.isNaN(ratio) || !Number.isFinite(ratio)
        ? ''
        : `${ratio.toFixed(2).padStart(8)} times its count${ratio <= MAX_RATIO ? '' : `  over ${MAX_RATIO}`}`
    console.log(
      `  ${kind.padEnd(20)}${[0.5, 0.95].map((share) => at(list, share).toFixed(1).padStart(9)).join('')}${verdict}`,
    )
  }
  if (isRestricted) await recall(ctx, space, isSeen)
}

const queryOf = (round: number): number[] => vectorNear(round + 100, -round - 1000)

const QUERIES = 10

/** How many of the nearest passages by the exact vectors are found, of all that this reader sees. */
async function recall(ctx: Context, space: { id: number }, isSeen: (key: RawBuilder<unknown>) => RawBuilder<SqlBool>) {
  const { rows } = await sql<{ id: number }>`select p.id from passages as p where ${isSeen(sql`p.vis`)}`.execute(ctx.db)
  const seen = new Set(rows.map(({ id }) => id))
  const queries = Array.from({ length: QUERIES }, (_, i) => Float64Array.from(queryOf(i)))
  const scores: { id: number; score: number }[][] = queries.map(() => [])
  for (const id of seen) {
    const vector = Float64Array.from(vectorNear(id, id))
    let square = 0
    for (const number of vector) square += number * number
    for (const [i, query] of queries.entries()) {
      let product = 0
      for (let k = 0; k < vector.length; k++) product += (query[k] ?? 0) * (vector[k] ?? 0)
      scores[i]?.push({ id, score: product / Math.sqrt(square) })
    }
  }
  for (const most of [1, 10, 50]) {
    let [found, hidden] = [0, 0]
    for (const [i, query] of queries.entries()) {
      const exact = (scores[i] ?? []).toSorted((a, b) => b.score - a.score).slice(0, most)
      const given = await nearest(ctx, space, [...query], isSeen, CANDIDATES)
      const first = new Set(given.slice(0, most))
      found += exact.filter(({ id }) => first.has(id)).length
      hidden += given.filter((id) => !seen.has(id)).length
    }
    console.log(
      `  recall of the first ${String(most).padEnd(3)} ${((found / most / QUERIES) * 100).toFixed(1)} %${hidden > 0 ? `, ${hidden} HIDDEN` : ''}`,
    )
  }
  console.log()
}
