import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { isDatabaseAway, isTimeout, isTransient, refusal } from '../../engine/errors.ts'
import { integerList, textList, uuidList } from '../../fast/binary-arrays.ts'
import type { ObservableLink } from '../entities/observables-in.ts'
import { rowsOf, type StoredEntity, storedValues } from '../entities/store.ts'
import { compileCriteria } from './criteria/compile-criteria.ts'
import type { Rule } from './rule.ts'

/** An entity as it is about to be stored, with the rules whose content criteria it is compared with. */
export interface Judged {
  readonly entity: StoredEntity
  readonly observables: readonly ObservableLink[]
  readonly rules: readonly Rule[]
}

export interface Verdicts {
  /** The rules that match, by the id of the entity. */
  readonly matched: ReadonlyMap<string, ReadonlySet<number>>
  /** Why rules could not be compared. */
  readonly problems: ReadonlyMap<number, string>
}

/** The time limits for all rules together, for one of them, and for those that are compared one by one. */
const TOGETHER_MS = 4000
const ALONE_MS = 1000
const ONE_BY_ONE_MS = 6000

const TOO_SLOW = 'Comparing entities with its criteria takes too long. Make them more specific.'
const BROKEN = 'An internal error prevents its criteria from being compared. Simplify them.'

/**
 * Compares entities that are not stored yet with the content criteria of rules, in one statement however many there are. If it fails or takes
 * too long, each rule has its own, so that a rule cannot affect others. `isSuspect` tells which rules failed the last time.
 */
export async function judge(
  ctx: Context,
  judged: readonly Judged[],
  isSuspect: (rule: number) => boolean,
): Promise<Verdicts> {
  const matched = new Map<string, Set<number>>()
  const problems = new Map<number, string>()
  const rules = [...new Map(judged.flatMap((each) => each.rules.map((rule) => [rule.id, rule] as const))).values()]
  if (rules.length === 0) return { matched, problems }
  const add = (found: readonly Found[]) => {
    for (const { id, rules } of found) matched.set(id, new Set([...(matched.get(id) ?? []), ...rules]))
  }
  const sound = rules.filter(({ id }) => !isSuspect(id))
  const together =
    sound.length === 0 ? { value: [] } : await attempt(ctx, TOGETHER_MS, () => compare(ctx, judged, sound))
  if ('value' in together) add(together.value)
  const rest = 'value' in together ? rules.filter(({ id }) => isSuspect(id)) : rules
  const deadline = Date.now() + ONE_BY_ONE_MS
  for (const rule of rest) {
    const isLate = Date.now() > deadline
    const alone = isLate ? { problem: TOO_SLOW } : await attempt(ctx, ALONE_MS, () => compare(ctx, judged, [rule]))
    if ('value' in alone) add(alone.value)
    else problems.set(rule.id, alone.problem)
  }
  return { matched, problems }
}

interface Found {
  readonly id: string
  readonly rules: readonly number[]
}

async function compare(ctx: Context, judged: readonly Judged[], rules: readonly Rule[]): Promise<readonly Found[]> {
  const wanted = new Set(rules.map(({ id }) => id))
  const rows = judged.flatMap((each) => {
    const own = each.rules.filter(({ id }) => wanted.has(id)).map(({ id }) => id)
    return own.length === 0 ? [] : [{ ...each, own }]
  })
  const conditions: RawBuilder<unknown>[] = []
  for (const { id, query, isTree } of rules) {
    if (!query) continue
    const isMatch: RawBuilder<SqlBool> = await compileCriteria(ctx, query, isTree)
    // The outer case ensures that an entity is compared only with rules that apply to it otherwise.
    conditions.push(sql`case when ${sql.lit(id)} = any(t.rules) then case when ${isMatch} then ${sql.lit(id)} end end`)
  }
  if (conditions.length === 0 || rows.length === 0) return []
  const entities = rows.map(({ entity }) => entity)
  // The conditions read `entity_taxonomies`, `entity_observables` and `observables`: here these are the links that are about to be written.
  const { rows: found } = await sql<Found>`
    with attached as materialized (
      select a.source, row_number() over () as target, a.type, a.value from (${attachedTo(rows)}) as a
    ), observables as materialized (
      select a.target as id, a.type, a.value from attached as a
    ), entity_observables as materialized (
      select a.source, a.target from attached as a
    ), entity_taxonomies as materialized (${classified(entities)}
    ), asked as (
      select * from unnest(${uuidList(entities.map(({ id }) => id))}::uuid[],
        ${textList(rows.map(({ own }) => `{${own.join()}}`))}::text[]) as a(id, rules)
    ), written as materialized (
      select ${storedValues}, a.rules::integer[] as rules from ${rowsOf(entities)} join asked as a on a.id = i.id
    )
    select found.id, found.rules
    from (select t.id, array_remove(array[${sql.join(conditions)}]::integer[], null) as rules from written as t) as found
    where found.rules <> '{}'`.execute(ctx.db)
  return found
}

/** The observables of the entities, by type and value. */
function attachedTo(rows: readonly Judged[]): RawBuilder<unknown> {
  const links = rows.flatMap(({ entity, observables }) => observables.map((each) => ({ entity: entity.id, each })))
  const named = links.flatMap(({ entity, each }) =>
    each.id === undefined ? [{ entity, type: each.type as string, value: each.value }] : [],
  )
  const known = links.flatMap(({ entity, each }) => (each.id === undefined ? [] : [{ entity, id: Number(each.id) }]))
  return sql`
    select * from unnest(${uuidList(named.map(({ entity }) => entity))}::uuid[],
      ${textList(named.map(({ type }) => type))}::text[], ${textList(named.map(({ value }) => value))}::text[]
    ) as n(source, type, value)
    union all
    select k.source, o.type, o.value
    from unnest(${uuidList(known.map(({ entity }) => entity))}::uuid[],
      ${integerList(known.map(({ id }) => id))}::integer[]) as k(source, id) join observables as o on o.id = k.id`
}

function classified(entities: readonly StoredEntity[]): RawBuilder<unknown> {
  const links = entities.flatMap(({ id, meta }) => meta.taxonomies.map((node) => ({ id, node: Number(node) })))
  return sql`
    select * from unnest(${uuidList(links.map(({ id }) => id))}::uuid[],
      ${integerList(links.map(({ node }) => node))}::integer[]) as l(source, target)`
}

/** Runs something in a savepoint with a time limit, such that the transaction continues if the criteria of a rule make it fail. */
async function attempt<T>(
  { db }: Context,
  limit: number,
  run: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly problem: string }> {
  await sql`savepoint judge`.execute(db)
  const end = async (isSound: boolean) => {
    if (!isSound) await sql`rollback to savepoint judge`.execute(db)
    await sql`release savepoint judge`.execute(db)
  }
  try {
    const { rows } = await sql<{ before: string }>`
      select current_setting('statement_timeout') as before, set_config('statement_timeout', ${String(limit)}, true)`.execute(
      db,
    )
    const value = await run()
    await sql`select set_config('statement_timeout', ${rows[0]?.before ?? '0'}, true)`.execute(db)
    await end(true)
    return { value }
  } catch (error) {
    const problem = problemOf(error)
    if (problem === undefined) throw error
    await end(false)
    return { problem }
  }
}

/** Why criteria cannot be compared, as a sentence; undefined for errors that they did not cause. */
function problemOf(error: unknown): string | undefined {
  if (isTimeout(error)) return TOO_SLOW
  if (isTransient(error) || isDatabaseAway(error)) return undefined
  const { status = 0, message = '' } = refusal(error) ?? {}
  if (status >= 500) return undefined
  return status === 0 || status === 400 ? BROKEN : `Its criteria cannot be compared: ${message}`
}
