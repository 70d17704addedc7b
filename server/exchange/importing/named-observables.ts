import { type RawBuilder, sql } from 'kysely'
import { observableOf } from '../../domain/observables/read.ts'
import { textList } from '../../fast/binary-arrays.ts'
import type { Located } from './outcome.ts'

/** An observable by its type and value, which need not be stored. */
export interface NamedObservable {
  readonly type: string
  readonly value: string
}

/** Joins named observables to the stored ones `o`, as the content of a from clause. */
export const storedObservables = (named: readonly NamedObservable[]): RawBuilder<unknown> => sql`
  unnest(
    ${textList(named.map(({ type }) => type))}::text[],
    ${textList(named.map(({ value }) => value))}::text[]) as w(type, value)
  join observables as o on observable_key(o.value) = observable_key(w.value) and o.type = w.type`

/** The valid observables among findings, normalised. */
export const observablesOf = (findings: readonly Located[]): NamedObservable[] =>
  findings.flatMap(({ finding }) => {
    if (finding.kind !== 'observable') return []
    const found = observableOf(finding.observable.type, finding.observable.value)
    return 'fault' in found ? [] : [found]
  })
