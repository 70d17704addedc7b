import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { ApiError } from '../../engine/errors.ts'
import { outsideWork } from '../../engine/work.ts'
import { type Message, tokensIn, type Usage } from '../calling/question.ts'
import type { Feature } from '../features.ts'
import type { Ready } from './ready.ts'

/** What tokens are counted for: a feature, the test of a provider, or the index of passages. */
export type Purpose = Feature | 'connection_test' | 'passages'
export type Paid = Omit<Ready, 'feature' | 'ceiling'> & { readonly feature: Purpose }

/** What is about to be sent, and the most tokens of its answer. */
interface Expense {
  readonly messages: readonly Pick<Message, 'content'>[]
  readonly mostAnswer: number
}

/** What is counted of a request. */
export interface Counted {
  readonly id: string
  /** How many tokens the prompt probably has. */
  readonly prompt: number
  readonly entities: readonly string[]
  readonly startedAt: number
}

export const promptHash = (messages: readonly Pick<Message, 'content'>[]): string =>
  createHash('sha256').update(JSON.stringify(messages)).digest('hex')

/** The beginning of the month in which budgets are counted. */
export const MONTH_START = sql`date_trunc('month', now(), 'UTC')`

/** Requests whose process ended before they did no longer use the budget that was reserved for them. */
export const IS_COUNTED = sql`not (outcome = 'running' and created_at < now() - interval '1 hour')`

/** Counts the most that a request may use before it is sent, so that requests at the same time cannot exceed a budget together. */
export async function reserve(
  ctx: Context,
  ready: Paid,
  { messages, mostAnswer }: Expense,
  entities: readonly string[] = [],
): Promise<Counted> {
  const prompt = tokensIn(messages)
  const { feature, provider, model, budget } = ready
  return await ctx.db.transaction().execute(async (db) => {
    if (budget !== null) {
      await sql`select pg_advisory_xact_lock(hashtext('ai_requests'), ${ctx.caller.id})`.execute(db)
      const { rows } = await sql<{ used: number }>`
        select coalesce(sum(prompt_tokens + answer_tokens), 0)::double precision as used from ai_requests
        where user_id = ${ctx.caller.id} and provider = ${provider} and created_at >= ${MONTH_START}
          and ${IS_COUNTED}`.execute(db)
      const used = rows[0]?.used ?? 0
      if (used + prompt + mostAnswer > budget) throw exhausted(used, budget)
    }
    const { rows } = await sql<{ id: string }>`
      insert into ai_requests (user_id, feature, provider, model, prompt_tokens, answer_tokens, prompt_hash, entities)
      values (nullif(${ctx.caller.id}::integer, 0), ${feature}, ${provider}, ${model}, ${prompt}, ${mostAnswer},
        decode(${promptHash(messages)}, 'hex'), ${[...entities]}::uuid[])
      returning id::text`.execute(db)
    return { id: rows[0]?.id ?? '', prompt, entities, startedAt: performance.now() }
  })
}

const exhausted = (used: number, budget: number): ApiError =>
  new ApiError(
    429,
    `Your budget for this provider is used up: ${Math.round(used)} of ${budget} tokens this month, and this request may need more than is left.`,
  )

/** Corrects what was counted once the request is over, and logs it. `answer` is what arrived of it. */
export async function settle(
  ctx: Context,
  { feature, provider, model, prices }: Paid,
  { id, prompt: expected, entities, startedAt }: Counted,
  outcome: 'success' | 'error' | 'aborted',
  usage: Usage,
  answer: number,
): Promise<void> {
  // A provider that did not begin to answer did not charge for it.
  const isFree = outcome === 'error' && answer === 0
  const prompt = plausible(usage.prompt) ?? (isFree ? 0 : expected)
  const answered = plausible(usage.answer) ?? answer
  const cost = (prompt * (prices.prompt ?? 0) + answered * (prices.answer ?? 0)) / 1e6
  const ms = Math.round(performance.now() - startedAt)
  ctx.modelPorts?.note({
    request: id,
    user: ctx.caller.id,
    feature,
    provider,
    model,
    outcome,
    prompt_tokens: prompt,
    answer_tokens: answered,
    ms,
    entities: entities.slice(0, MAX_LOGGED_ENTITIES),
  })
  // The client may have disconnected, which ends its requests to the database.
  await outsideWork(() =>
    sql`
      update ai_requests
      set outcome = ${outcome}, prompt_tokens = ${prompt}, answer_tokens = ${answered}, cost = ${cost}, milliseconds = ${ms}
      where id = ${id}`.execute(ctx.db),
  )
}

const MAX_LOGGED_ENTITIES = 20
const MAX_TOKENS = 1e9

/** A number of tokens that a provider reports, unless it cannot be one. */
const plausible = (tokens: number | null): number | null =>
  tokens !== null && tokens >= 0 && tokens <= MAX_TOKENS ? Math.round(tokens) : null
