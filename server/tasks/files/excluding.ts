import type { Exclusion } from '../../domain/exclusions.ts'
import type { Reader } from '../../formats/finding.ts'
import { leaveOut } from '../../formats/text/leave-out.ts'

/** A reader that leaves out the observables that are on exclusion lists, and notes how many that were. */
export const excluding = (read: Reader, listOf: Exclusion): Reader =>
  async function* (document) {
    for await (const finding of read(document)) {
      if (finding.kind !== 'entity') {
        yield finding
        continue
      }
      const { entity, excluded, left } = leaveOut(finding.entity, listOf)
      const told = [...excluded].map(([list, count]) => `${count} observables are on the exclusion list '${list}'`)
      yield { ...finding, entity, notes: [...(finding.notes ?? []), ...told], excluded: left }
    }
  }
