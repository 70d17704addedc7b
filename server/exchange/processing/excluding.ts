import type { Exclusion } from '../../domain/exclusions.ts'
import type { Excluded, Reader } from '../../formats/finding.ts'
import { countExclusions } from '../../formats/text/exclusion-count.ts'
import { leaveOut } from '../../formats/text/leave-out.ts'

/**
 * Wraps a reader so that it skips observables on exclusion lists and notes their number. Observables without an entity are noted with
 * the next entity.
 */
export const excluding = (read: Reader, listOf: Exclusion): Reader =>
  async function* (document) {
    const count = countExclusions()
    for await (const finding of read(document)) {
      if (finding.kind === 'observable') {
        const list = listOf(finding.observable.type, finding.observable.value)
        if (list === undefined) yield finding
        else count.add(list, finding.observable)
      } else if (finding.kind === 'entity') {
        const entity = leaveOut(finding.entity, listOf, count)
        const excluded = count.take()
        yield { ...finding, entity, notes: [...(finding.notes ?? []), ...excluded.map(noteOn)], excluded }
      } else yield finding
    }
    const rest = count.take()
    if (rest.length > 0) yield { kind: 'lost', at: 'document', losses: rest.map(noteOn) }
  }

const noteOn = ({ list, count }: Excluded): string => `${count} observables are on the exclusion list '${list}'`
