import type { Document } from '../document.ts'
import type { Finding, FoundObservable } from '../finding.ts'
import { madeId } from '../made-id.ts'
import type { Draft } from './draw-row.ts'

/** As many observables as one report can have and still be looked at. */
const LIMIT = 10_000

/** The one report of a file whose rows are nothing but observables. */
export interface Container {
  /** The STIX id of the report, where that does not depend on what is in it; else ''. */
  readonly id: string
  take(at: string, draft: Draft): Generator<Finding>
  end(): Generator<Finding>
}

/** Collects the observables of a file; those that no report could hold come one by one. What is said of it goes with the report. */
export function containerOf(
  document: Document,
  sourceName = '',
  { data, meta }: Pick<Draft, 'data' | 'meta'> = { data: {}, meta: {} },
  isAddition = () => false,
): Container {
  const held = new Map<string, FoundObservable>()
  let isFull = false

  function* report(): Generator<Finding> {
    const observables = [...held.values()]
    if (observables.length === 0) return
    const { known } = document
    const title = known?.title ?? (document.name.trim().slice(0, 300) || 'Observables of a CSV file')
    const id = known ? madeId('report', known.identity) : madeId('report', sourceName, title, observables)
    yield {
      kind: 'entity',
      at: 'line 1',
      entity: {
        data: { title, ...data, type: 'report', id },
        meta,
        observables,
        ...(isAddition() && { isAddition: true }),
      },
      ...(isFull ? { losses: [`the observables after the first ${LIMIT} stand alone, without this report`] } : {}),
    }
  }

  return {
    id: document.known ? madeId('report', document.known.identity) : '',
    *take(at, { observables, losses }) {
      if (observables.length === 0) {
        yield { kind: 'lost', at, losses: losses.length > 0 ? losses : ['this row has no observable'] }
        return
      }
      if (losses.length > 0) yield { kind: 'lost', at, losses }
      for (const observable of observables) {
        if (isFull) yield { kind: 'observable', at, observable }
        else held.set(`${observable.type} ${observable.value}`, observable)
        if (held.size < LIMIT || isFull) continue
        isFull = true
        yield* report()
      }
    },
    *end() {
      if (!isFull) yield* report()
    },
  }
}
