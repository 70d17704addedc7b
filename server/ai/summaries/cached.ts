import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { storableText } from '../../domain/storable-text.ts'
import type { Context } from '../../engine/context.ts'
import type { Assistant, Sent } from '../asking/assistant.ts'
import type { Progress } from '../operations/operation.ts'
import type { Untrusted } from '../prompting/untrusted.ts'

/** Everything that decides about an answer, apart from the model. */
export interface Material {
  readonly operation: string
  /** What the model is asked to do, with everything that the request says about it. */
  readonly task: string
  /** Everything that the caller read for it. */
  readonly texts: readonly Untrusted[]
  readonly isRefreshed: boolean
}

export type Cached<R> = R & { readonly is_cached: boolean }

/**
 * The answer that was made earlier from the same material, or else a new one, which is kept. The key is a hash of the whole texts as the
 * caller has just read them, so an answer is given again only to those who see everything that it was made from, and a change of an
 * entity changes the key. Permissions, consent and the ceiling of the provider are checked before.
 */
export async function* cached<R extends object>(
  ctx: Context,
  assistant: Assistant,
  material: Material,
  work: () => AsyncGenerator<Progress, R>,
): AsyncGenerator<Progress, Cached<R>> {
  const key = keyOf(assistant, material)
  const earlier = material.isRefreshed ? undefined : await find<R>(ctx, key)
  if (earlier) {
    assistant.recall({ sent: earlier.sent, at: earlier.created_at })
    return { ...earlier.result, is_cached: true }
  }
  const result = yield* work()
  await keep(ctx, key, result, assistant)
  return { ...result, is_cached: false }
}

function keyOf({ ready, inputs }: Assistant, { operation, task, texts }: Material): Buffer {
  const ids = inputs.map(({ kind, id }) => [kind, id])
  const parts = [operation, ready.provider, ready.model, task, texts.map(({ name, text }) => [name, text]), ids]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

interface Earlier<R> {
  readonly result: R
  readonly sent: readonly Sent[]
  readonly created_at: string
}

async function find<R>({ db }: Context, key: Buffer): Promise<Earlier<R> | undefined> {
  const { rows } = await sql<Earlier<R>>`select result, sent, created_at from ai_summaries where key = ${key}`.execute(
    db,
  )
  return rows[0]
}

/** Keeps an answer, unless one of its entities has been deleted in the meantime. */
async function keep({ db }: Context, key: Buffer, result: object, { inputs, sent }: Assistant): Promise<void> {
  const ids = inputs.filter(({ kind }) => kind === 'entities').map(({ id }) => id)
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      select from entities where id = any(${ids}::uuid[]) order by id for key share`.execute(trx)
    if (rows.length < ids.length) return
    await sql`
      with kept as (
        insert into ai_summaries as s (key, result, sent)
        values (${key}, ${storable(result)}::jsonb, ${storable(sent)}::jsonb)
        on conflict (key) do update set result = excluded.result, sent = excluded.sent, created_at = now()
        returning s.id)
      insert into ai_summary_entities (summary, entity)
      select kept.id, e.id from kept cross join unnest(${ids}::uuid[]) as e(id)
      on conflict do nothing`.execute(trx)
  })
}

/** JSON whose texts the database can store. What was sent includes answers of models as they came. */
const storable = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'string' ? storableText(each, each.length) : each))
