import { readCell } from '../../domain/csv.ts'
import { observableOf } from '../../domain/observables/read.ts'
import type { Document } from '../document.ts'
import { type Decoding, decodingOf, withDecoding } from '../encoding/decoding.ts'
import type { Finding, Reader } from '../finding.ts'
import { maliciousnessOf } from '../maliciousness.ts'
import { containerOf } from './container.ts'
import type { RowDraft } from './draw-row.ts'
import { PLAIN } from './rows.ts'
import { tableRows } from './table.ts'

/**
 * Reads tables in the format of `writeObservablesCsv` into one report. The entities are not restored, because the table contains little
 * more than their titles, which must not replace the data that is already stored.
 */
export const readObservablesCsv: Reader = async function* (document) {
  const decoding = await decodingOf(document)
  yield* withDecoding(rowsOf(document, decoding), decoding)
}

async function* rowsOf(document: Document, decoding: Decoding): AsyncGenerator<Finding> {
  let header: readonly string[] | undefined
  const container = containerOf(document, '', undefined, () => header?.includes('diff') === true)
  for await (const { line, cells, fault } of tableRows(document, { ...PLAIN, decoding }, { hasHeader: true })) {
    const at = `line ${line}`
    if (!header) header = cells.map((name) => name.trim())
    else if (fault !== undefined) yield { kind: 'lost', at, losses: [fault] }
    else {
      const row = new Map(header.map((name, i) => [name, readCell(cells[i] ?? '')]))
      const draft = draftOf(row)
      const [observable] = draft.observables
      if (row.get('diff') !== 'del' || !observable) yield* container.take(at, draft)
      else yield { kind: 'withdrawn', at, id: container.id, observable }
    }
  }
  yield* container.end()
}

function draftOf(cells: ReadonlyMap<string, string>): RowDraft {
  const draft: RowDraft = { data: {}, meta: {}, observables: [], losses: [] }
  const found = observableOf(cells.get('type'), cells.get('value'))
  if ('fault' in found) return { ...draft, losses: [`${found.field}: ${found.fault}`] }
  const maliciousness = maliciousnessOf(cells.get('meta.classification'), cells.get('meta.confidence'))
  return { ...draft, observables: [{ ...found, maliciousness }] }
}
