import { type Kysely, sql } from 'kysely'
import { integerList } from '../../fast/binary-arrays.ts'

/** Observables that a rule wants its enrichers to be asked about in turn. */
export interface ChainsToStart {
  readonly rule: number
  readonly observables: readonly number[]
}

/** Starts asking enrichers in turn. An observable that the rule is already asking about is not started again. */
export async function startChains(
  db: Kysely<unknown>,
  wanted: readonly ChainsToStart[],
  depth: number,
  run: string | null = null,
): Promise<void> {
  const pairs = wanted.flatMap(({ rule, observables }) => observables.map((observable) => ({ rule, observable })))
  if (pairs.length === 0) return
  await sql`
    insert into enrichment_chains (rule, observable, run, depth)
    select r.id, o.id, ${run}::uuid, ${depth}::smallint
    from unnest(
      ${integerList(pairs.map(({ rule }) => rule))}::integer[],
      ${integerList(pairs.map(({ observable }) => observable))}::integer[]) as i(rule, observable)
    join enrichment_rules as r on r.id = i.rule
    join observables as o on o.id = i.observable
    order by 1, 2
    on conflict do nothing`.execute(db)
}
