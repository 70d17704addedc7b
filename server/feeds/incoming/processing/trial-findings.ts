import { sql } from 'kysely'
import { observableOf } from '../../../domain/observables/read.ts'
import { textList } from '../../../engine/binary.ts'
import type { Context } from '../../../engine/resource.ts'
import { type Located, type Outcome, PLURALS } from '../../../exchange/importing/outcome.ts'
import { cameBefore } from '../../../intelligence/observables/sight.ts'
import type { TrialReport } from '../trial-report.ts'

/** So many of each kind are told one by one; all are counted. */
const SHOWN = 100
const LONGEST = 2000

type Told = Pick<TrialReport, 'counts' | 'types' | 'entities' | 'observables' | 'excluded' | 'losses'>

/** What a trial finds out, piece by piece. */
export interface TrialFindings {
  add(piece: string, outcomes: readonly Outcome[], findings: readonly Located[]): void
  /** All of it; in the transaction that made what is new. */
  report(ctx: Context): Promise<Told>
}

export function openFindings(): TrialFindings {
  const counts: Counts = {}
  const types: Counts = { entities: {}, observables: {} }
  const entities: Told['entities'] = []
  const losses: Told['losses'] = []
  const observables = new Map<string, { type: string; value: string }>()
  const excluded = new Map<string, { count: number; observables: { type: string; value: string }[] }>()

  const addObservable = (type: unknown, value: unknown) => {
    const found = observableOf(type, value)
    if ('fault' in found) return
    const key = `${found.type} ${found.value}`
    if (observables.has(key)) return
    // Their values need not be kept once enough of them are shown, but each counts once.
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
          if (entities.length < SHOWN) entities.push(short({ title, type, outcome, place, notes: [...notes] }))
        }
        const isLoss = outcome === 'refused' || outcome === 'lost' || details.length > 0
        if (isLoss && losses.length < SHOWN)
          losses.push(short({ piece, place, kind, outcome, details: details.slice(0, SHOWN) }))
      }
      for (const { finding } of findings) {
        if (finding.kind === 'observable') addObservable(finding.observable.type, finding.observable.value)
        if (finding.kind !== 'entity') continue
        for (const { type, value } of finding.entity.observables ?? []) addObservable(type, value)
        for (const { list, count, observables } of finding.excluded ?? []) {
          const before = excluded.get(list) ?? { count: 0, observables: [] }
          const shown = [...before.observables, ...observables].slice(0, SHOWN)
          excluded.set(list, { count: before.count + count, observables: shown })
        }
      }
    },
    report: async (ctx) => ({
      counts,
      types,
      entities,
      observables: await withAge(ctx, [...observables.values()].slice(0, SHOWN)),
      excluded: [...excluded].map(([list, all]) => short({ list, ...all })),
      losses,
    }),
  }
}

type Counts = Record<string, Record<string, number>>

function count(counts: Counts, kind: string, name: string): void {
  counts[kind] ??= {}
  counts[kind][name] = (counts[kind][name] ?? 0) + 1
}

/** Documents may hold anything; what is told of them must fit into a report. */
const short = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'string' ? inner.slice(0, LONGEST).toWellFormed().replaceAll('\0', '\uFFFD') : inner,
    ),
  )

/** Which of the observables the caller did not see before the transaction. */
async function withAge(
  ctx: Context,
  observables: readonly { readonly type: string; readonly value: string }[],
): Promise<Told['observables']> {
  const { rows } = await sql<{ is_new: boolean | null }>`
    select (
      select not ${cameBefore(ctx, sql`o.id`, sql`now()`)} from observables as o
      where observable_key(o.value) = observable_key(w.value) and o.type = w.type
    ) as is_new
    from unnest(
      ${textList(observables.map(({ type }) => type))}::text[],
      ${textList(observables.map(({ value }) => value))}::text[]) with ordinality as w(type, value, n)
    order by w.n`.execute(ctx.db)
  return observables.map((each, i) => short({ ...each, is_new: rows[i]?.is_new ?? true }))
}
