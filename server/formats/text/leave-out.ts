import type { Exclusion } from '../../domain/exclusions.ts'
import type { FoundEntity } from '../finding.ts'
import type { ExclusionCount } from './exclusion-count.ts'

/** Removes excluded observables, and the extracts that name them, from an entity that was read from text. */
export function leaveOut(entity: FoundEntity, exclusion: Exclusion, count: ExclusionCount): FoundEntity {
  const observables = entity.observables?.filter((observable) => {
    const list = exclusion(observable.type, observable.value)
    if (list !== undefined) count.add(list, observable)
    return list === undefined
  })
  if (observables?.length === entity.observables?.length) return entity
  const { extracts, ...data } = entity.data
  const kept = Array.isArray(extracts)
    ? extracts.filter(({ kind, value }) => exclusion(String(kind), String(value)) === undefined)
    : []
  const rest = { ...data, ...(kept.length > 0 && { extracts: kept }) } as FoundEntity['data']
  return { ...entity, data: rest, observables }
}
