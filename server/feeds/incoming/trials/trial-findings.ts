import { sql } from 'kysely'
import { observableOf } from '../../../domain/observables/read.ts'
import { storableText } from '../../../domain/storable-text.ts'
import type { Context } from '../../../engine/context.ts'
import { type Located, type Outcome, PLURALS } from '../../../exchange/importing/outcome.ts'
import { textList } from '../../../fast/binary-arrays.ts'
import { wasVisibleBefore } from '../../../intelligence/observables/sight.ts'
import type { TrialReport } from './trial-report.ts'

/** How many objects of each kind are listed; all are counted. */
const MAX_LISTED = 100
const MAX_TEXT_LENGTH = 2000

type ReportedFindings = Pick<TrialReport, 'counts' | 'types' | 'entities' | 'observables' | 'excluded' | 'losses'>

/** Collects the findings of a trial, piece by piece. */
export interface TrialFindings {
  add(piece: string, outcomes: readonly Outcome[], findings: readonly Located[]): void
  /** Returns all findings; must run in the transaction that created what is new. */
  report(ctx: Context): Promise<ReportedFindings>
}

export function openFindings(): TrialFindings {
  const counts: Counts = {}
  const types: Counts = { entities: {}, observables: {} }
  const entities: ReportedFindings['entities'] = []
  const losses: ReportedFindings['losses'] = []
  const observables = new Map<string, { type: string; value: string }>()
  const excluded = new Map<string, { count: number; observables: { type: string; value: string }[] }>()

  const addObservable = (type: unknown, value: unknown) => {
    const found = observableOf(type, value)
    if ('fault' in found) return
    const key = `${found.type} ${found.value}`
    if (observables.has(key)) return
    // Each observable is counted once.
    observables.set(key, found)
    count(types, 'observables', found.type)
  }

  return {
    add: (piece, outcomes, findings) => {
      const byPosition = new Map(findings.map(({ position, finding }) => [position, finding]))
      for (const { position, place, kind, outcome, details, notes = [] } of outcomes) {
        count(counts, PLURALS[kind] ?? kind, outcome)
        const finding = byPosition.get(position)
        if (finding?.kind === 'entity') {
          const { title, type } = finding.entity.data
          count(types, 'entities', type)
          if (entities.length < MAX_LISTED) entities.push(shorten({ title, type, outcome, place, notes: [...notes] }))
        }
        const isLoss = outcome === 'refused' || outcome === 'lost' || details.length > 0
        if (isLoss && losses.length < MAX_LISTED)
          losses.push(shorten({ piece, place, kind, outcome, details: details.slice(0, MAX_LISTED) }))
      }
      for (const { finding } of findings) {
        if (finding.kind === 'observable') addObservable(finding.observable.type, finding.observable.value)
        if (finding.kind !== 'entity') continue
        for (const { type, value } of finding.entity.observables ?? []) addObservable(type, value)
        for (const { list, count, observables } of finding.excluded ?? []) {
          const before = excluded.get(list) ?? { count: 0, observables: [] }
          const shown = [...before.observables, ...observables].slice(0, MAX_LISTED)
          excluded.set(list, { count: before.count + count, observables: shown })
        }
      }
    },
    report: async (ctx) => ({
      counts,
      types,
      entities,
      observables: await withIsNew(ctx, [...observables.values()].slice(0, MAX_LISTED)),
      excluded: [...excluded].map(([list, all]) => shorten({ list, ...all })),
      losses,
    }),
  }
}

type Counts = Record<string, Record<string, number>>

function count(counts: Counts, kind: string, name: string): void {
  counts[kind] ??= {}
  counts[kind][name] = (counts[kind][name] ?? 0) + 1
}

/** Documents may contain texts of any length, which must fit into the report. */
const shorten = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? storableText(inner, MAX_TEXT_LENGTH) : inner)),
  )

/** Adds whether the caller could not see the observables before the transaction. */
async function withIsNew(
  ctx: Context,
  observables: readonly { readonly type: string; readonly value: string }[],
): Promise<ReportedFindings['observables']> {
  const { rows } = await sql<{ is_new: boolean | null }>`
    select (
      select not ${wasVisibleBefore(ctx, sql`o.id`, sql`now()`)} from observables as o
      where observable_key(o.value) = observable_key(w.value) and o.type = w.type
    ) as is_new
    from unnest(
      ${textList(observables.map(({ type }) => type))}::text[],
      ${textList(observables.map(({ value }) => value))}::text[]) with ordinality as w(type, value, n)
    order by w.n`.execute(ctx.db)
  return observables.map((each, i) => shorten({ ...each, is_new: rows[i]?.is_new ?? true }))
}
