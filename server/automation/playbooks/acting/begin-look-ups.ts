import { sql } from 'kysely'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import { readCandidates } from '../../enrichers/requests/candidates.ts'
import { classify, type Rules } from '../../enrichers/requests/classify.ts'
import { enqueue } from '../../enrichers/requests/enqueue.ts'
import type { StepContext } from '../step.ts'
import type { Pair } from './look-ups.ts'
import type { SeenObservable } from './subject.ts'

/** Look-ups that a step is about. */
export interface Asked {
  /** Those that are made or answered from stored results. */
  readonly pairs: readonly Pair[]
  /** How many of them are made. */
  readonly lookUps: number
  readonly warnings: readonly string[]
}

/** Asks enrichers about observables, unless it is a dry run. Those that must not leave the platform are left out. */
export async function beginLookUps(
  { ctx, isDryRun }: StepContext,
  enrichers: readonly number[],
  observables: readonly SeenObservable[],
): Promise<Asked> {
  const { rows: all } = await sql<Rules & { is_active: boolean }>`
    select id, name, supported_observable_types, max_tlp, is_active from enrichers
    where id = any(${enrichers}::integer[])
    order by id`.execute(ctx.db)
  const rules = all.filter(({ is_active }) => is_active)
  const inactive = all.filter(({ is_active }) => !is_active).map(({ name }) => `The enricher '${name}' is not active.`)
  const ids = observables.map(({ id }) => id)
  const candidates = await readCandidates(
    ctx,
    ids,
    rules.map(({ id }) => id),
  )
  const exclusion = await readExclusions(ctx.db)
  const judged = rules.flatMap((rule) =>
    candidates.flatMap((candidate) => {
      const verdict = classify(candidate, rule, exclusion)
      return verdict ? [{ enricher: rule.id, observable: candidate.id, verdict }] : []
    }),
  )
  const skipped = judged.filter(({ verdict }) => verdict.kind === 'skipped')
  if (!isDryRun) await enqueue(ctx, { enrichers: rules, observables: ids })
  return {
    pairs: judged.flatMap(({ enricher, observable, verdict }) =>
      verdict.kind === 'skipped' ? [] : [{ enricher, observable }],
    ),
    lookUps: judged.filter(({ verdict }) => verdict.kind === 'look-up').length,
    warnings: [
      ...inactive,
      ...(skipped.length > 0
        ? [`Look-ups that are not made, because the values must not leave the platform: ${skipped.length}.`]
        : []),
    ],
  }
}
