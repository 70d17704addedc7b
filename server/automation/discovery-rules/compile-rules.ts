import type { RawBuilder, SqlBool } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { asUsers } from '../../identity/access/as-user.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import type { SearchFields } from '../../search/sql/compile.ts'
import { runLookups } from '../../search/sql/lookups.ts'
import { attempt } from './attempt.ts'
import type { Criteria } from './criteria.ts'
import { type StartedMatches, startMatches } from './matches.ts'
import { lackOf, problemOf } from './problems.ts'

/** A rule as a condition on the row `t` of entities. */
export interface CompiledRule {
  readonly id: number
  readonly condition: RawBuilder<SqlBool>
  /** Whether its last comparison failed. */
  readonly hadProblem: boolean
}

type Started = StartedMatches & { readonly rule: Criteria }

/**
 * Compiles rules, each with the sight of its owner. Owners are read in one statement, and the look-ups of all queries are shared, so that
 * the number of statements does not depend on the number of rules.
 */
export async function compileRules(
  ctx: Context,
  rules: readonly Criteria[],
): Promise<{ readonly rules: readonly CompiledRule[]; readonly problems: ReadonlyMap<number, string> }> {
  const problems = new Map<number, string>()
  const compiled: CompiledRule[] = []
  for (const each of await lookUpAll(ctx, await startAll(ctx, rules, problems), problems)) {
    const condition = unless(problems, each.rule, () => each.finish())
    if (condition) compiled.push({ id: each.rule.id, condition, hadProblem: each.rule.problem !== null })
  }
  return { rules: compiled, problems }
}

async function startAll(ctx: Context, rules: readonly Criteria[], problems: Map<number, string>): Promise<Started[]> {
  const owners = await asUsers(ctx, [...new Set(rules.flatMap(({ owner }) => owner ?? []))])
  const fields = readOnce(entityFields)
  const started: Started[] = []
  for (const rule of rules) {
    const owner = owners.get(rule.owner ?? 0)
    const lack = lackOf(rule, owner)
    if (lack !== undefined) problems.set(rule.id, lack)
    else {
      const made = await start({ ...ctx, caller: owner as Seeing }, rule, fields, problems)
      if (made) started.push(made)
    }
  }
  return started
}

async function start(
  ctx: Context,
  rule: Criteria,
  fields: SearchFields,
  problems: Map<number, string>,
): Promise<Started | undefined> {
  try {
    return { rule, ...(await startMatches(ctx, rule, fields)) }
  } catch (error) {
    note(problems, rule, error)
    return undefined
  }
}

/** Runs the look-ups of all rules together. If one of them fails, each rule runs its own. */
async function lookUpAll(
  ctx: Context,
  started: readonly Started[],
  problems: Map<number, string>,
): Promise<readonly Started[]> {
  const all = started.flatMap(({ lookups }) => lookups)
  const together = await attempt(ctx, () => runLookups(ctx, all))
  if ('value' in together) return started
  const sound: Started[] = []
  for (const each of started) {
    const alone = await attempt(ctx, () => runLookups(ctx, each.lookups))
    if ('value' in alone) sound.push(each)
    else problems.set(each.rule.id, alone.problem)
  }
  return sound
}

/** Reads the names of custom attributes once for all queries. */
function readOnce(fields: SearchFields): SearchFields {
  const { ownNames } = fields
  if (!ownNames) return fields
  let names: Promise<readonly string[]> | undefined
  return {
    ...fields,
    ownNames: (ctx) => {
      names ??= ownNames(ctx)
      return names
    },
  }
}

function unless<T>(problems: Map<number, string>, rule: Criteria, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    note(problems, rule, error)
    return undefined
  }
}

function note(problems: Map<number, string>, { id }: Criteria, error: unknown): void {
  const problem = problemOf(error)
  if (problem === undefined) throw error
  problems.set(id, problem)
}
