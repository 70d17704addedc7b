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
import { loadPassages, wordsFrom } from './passages.ts'
import { at, timed } from './replayed.ts'
import { startServer } from './server.ts'
import { generator, subjectOf, vectorOf } from './vectors.ts'

/** How much longer a search may take than counting the same rows. */
const MAX_RATIO = 2
/** The share of the nearest ten passages that must be found. */
const MIN_RECALL = 0.99
const WARM_UP = 3
const LIMIT = 200
const WORDS_PER_QUERY = 6

const QUESTIONS = {
  'about a subject': (round: number) => vectorOf(subjectOf(round + 1_000_000), -round - 1000),
  'about nothing': (round: number) => vectorOf(undefined, -round - 1000),
}

/**
 * Compares how long finding passages takes with counting those that the reader sees in the same table, and what is found by meaning with all
 * vectors that the reader sees. The vectors have areas, topics and subjects, an uneven spectrum and a common middle, as those of embedding
 * models have (`vectors.ts`); a question is about one of 5,000 subjects, or about none. With `--data` the folder is kept for later runs.
 */
export async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      passages: { type: 'string', default: '100000' },
      scale: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '40' },
      questions: { type: 'string', default: '40' },
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
      const ctx = { db: server.db, vault, resources: resourceMap, taskTypes, caller, baseUrl: '' }
      const search = await searchOf(ctx)
      console.log(`${name}, who sees ${search.seen.size} passages: milliseconds`)
      await measureTimes(search, Number(values.rounds))
      await measureRecall(search, Number(values.questions))
      console.log()
    }
  } finally {
    await server.stop()
  }
}

interface Search {
  readonly ctx: Context
  readonly space: { readonly id: number }
  readonly isSeen: (key: RawBuilder<unknown>) => RawBuilder<SqlBool>
  /** The passages that this reader sees. */
  readonly seen: ReadonlySet<number>
}

async function searchOf(ctx: Context): Promise<Search> {
  const isSeen = (key: RawBuilder<unknown>) => sql<SqlBool>`(${holdsKey(ctx, key)} and ${rankOf(key)} <= 4)`
  const { rows: spaces } = await sql<{ id: number }>`select id from passage_spaces where is_current`.execute(ctx.db)
  const { rows } = await sql<{ id: number }>`select p.id from passages as p where ${isSeen(sql`p.vis`)}`.execute(ctx.db)
  return { ctx, space: { id: spaces[0]?.id ?? 0 }, isSeen, seen: new Set(rows.map(({ id }) => id)) }
}

async function measureTimes({ ctx, space, isSeen }: Search, rounds: number): Promise<void> {
  const byMeaning = Object.entries(QUESTIONS).map(([kind, vectorFor]) => {
    const vectors = Array.from({ length: WARM_UP + rounds }, (_, i) => vectorFor(i))
    const search = (round: number) => nearest(ctx, { space, vector: vectors.at(round) ?? [] }, isSeen, LIMIT)
    return [`by meaning, ${kind}`, search] as const
  })
  const kinds = {
    'count by meaning': () =>
      sql`select count(*) from passage_codes as c where c.space = ${space.id} and ${isSeen(sql`c.vis`)}`.execute(
        ctx.db,
      ),
    ...Object.fromEntries(byMeaning),
    'count by words': () => sql`select count(*) from passages as p where ${isSeen(sql`p.vis`)}`.execute(ctx.db),
    'by words': (round: number) =>
      passagesByWords(ctx, wordsFrom(generator(-round), WORDS_PER_QUERY, 1.5), isSeen, LIMIT),
  }
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]))
  for (let round = -WARM_UP; round < rounds; round++)
    for (const [kind, run] of Object.entries(kinds)) {
      const took = await timed(() => run(round))
      if (round >= 0) times.get(kind)?.push(took)
    }
  for (const [kind, list] of times) {
    const [by = ''] = kind.split(', ')
    const counted = times.get(`count ${by}`)
    const ratio = counted && at(list, 0.5) / at(counted, 0.5)
    const verdict =
      ratio === undefined
        ? ''
        : `${ratio.toFixed(2).padStart(8)} times its count${ratio <= MAX_RATIO ? '' : `  over ${MAX_RATIO}`}`
    console.log(
      `  ${kind.padEnd(30)}${[0.5, 0.95].map((share) => at(list, share).toFixed(1).padStart(9)).join('')}${verdict}`,
    )
  }
}

/** How many of the nearest passages by the exact vectors are found, of all that this reader sees. */
async function measureRecall({ ctx, space, isSeen, seen }: Search, count: number): Promise<void> {
  for (const [kind, vectorFor] of Object.entries(QUESTIONS)) {
    const questions = Array.from({ length: count }, (_, i) => vectorFor(i))
    const exact = nearestExactly(questions, seen)
    const given = await Promise.all(questions.map((vector) => nearest(ctx, { space, vector }, isSeen, LIMIT)))
    const hidden = given.flat().filter((id) => !seen.has(id)).length
    const recalls = [1, 10, 50].map((most) => {
      const found = exact.flatMap((ids, i) => {
        const first = new Set(given[i]?.slice(0, most))
        return ids.slice(0, most).filter((id) => first.has(id))
      })
      return [most, found.length / most / count] as const
    })
    const shown = recalls.map(([most, recall]) => `${(recall * 100).toFixed(1)} % of ${most}`).join(', ')
    const isLow = recalls.some(([most, recall]) => most === 10 && recall < MIN_RECALL)
    console.log(
      `  recall ${kind.padEnd(23)} ${shown}${isLow ? `  under ${MIN_RECALL}` : ''}${hidden > 0 ? `  ${hidden} HIDDEN` : ''}`,
    )
  }
}

/** The nearest of the seen passages to each question, compared with all of them. */
function nearestExactly(questions: readonly (readonly number[])[], seen: ReadonlySet<number>): number[][] {
  const queries = questions.map((question) => Float64Array.from(question))
  const scores = queries.map(() => new Float64Array(seen.size))
  const ids = [...seen]
  for (const [n, id] of ids.entries()) {
    const vector = Float64Array.from(vectorOf(subjectOf(id), id))
    for (const [i, query] of queries.entries()) {
      let product = 0
      for (let k = 0; k < vector.length; k++) product += (query[k] ?? 0) * (vector[k] ?? 0)
      const list = scores[i]
      if (list) list[n] = product
    }
  }
  return scores.map((list) => {
    const order = Uint32Array.from(list, (_, n) => n).sort((a, b) => (list[b] ?? 0) - (list[a] ?? 0))
    return Array.from(order.subarray(0, LIMIT), (n) => ids[n] ?? 0)
  })
}
