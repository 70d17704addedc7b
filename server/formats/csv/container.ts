import type { Document } from '../document.ts'
import type { Finding, FoundObservable } from '../finding.ts'
import { madeId } from '../made-id.ts'
import type { RowDraft } from './draw-row.ts'

/** Maximum number of observables in one report that can still be displayed. */
const OBSERVABLE_LIMIT = 10_000

/** The report for a file whose rows contain only observables. */
export interface Container {
  /** The STIX id of the report if it does not depend on the contents; otherwise ''. */
  readonly id: string
  take(at: string, draft: RowDraft): Generator<Finding>
  end(): Generator<Finding>
}

/** Collects the observables of a file into one report. Those beyond its limit are reported separately. */
export function containerOf(
  document: Document,
  sourceName = '',
  { data, meta }: Pick<RowDraft, 'data' | 'meta'> = { data: {}, meta: {} },
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
      ...(isFull
        ? {
            losses: [
              `only the first ${OBSERVABLE_LIMIT} observables are part of this report; the others are imported separately`,
            ],
          }
        : {}),
    }
  }

  return {
    id: document.known ? madeId('report', document.known.identity) : '',
    *take(at, { observables, losses }) {
      if (observables.length === 0) {
        yield { kind: 'lost', at, losses: losses.length > 0 ? losses : ['this row contains no observable'] }
        return
      }
      if (losses.length > 0) yield { kind: 'lost', at, losses }
      for (const observable of observables) {
        if (isFull) yield { kind: 'observable', at, observable }
        else held.set(`${observable.type} ${observable.value}`, observable)
        if (held.size < OBSERVABLE_LIMIT || isFull) continue
        isFull = true
        yield* report()
      }
    },
    *end() {
      if (!isFull) yield* report()
    },
  }
}
