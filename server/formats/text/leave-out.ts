import type { Exclusion } from '../../domain/exclusions.ts'
import type { Excluded, FoundEntity } from '../finding.ts'

/** An entity without the observables that lists exclude, how many each list excluded, and which these are. */
export interface LeftOut {
  readonly entity: FoundEntity
  readonly excluded: ReadonlyMap<string, number>
  readonly left: readonly Excluded[]
}

/** Takes out of an entity that was read from text what lists exclude: its observables, and the extracts that name them. */
export function leaveOut(entity: FoundEntity, exclusion: Exclusion): LeftOut {
  const excluded = new Map<string, number>()
  const left: Excluded[] = []
  const observables = entity.observables?.filter(({ type, value }) => {
    const list = exclusion(type, value)
    if (list === undefined) return true
    excluded.set(list, (excluded.get(list) ?? 0) + 1)
    left.push({ list, type, value })
    return false
  })
  if (excluded.size === 0) return { entity, excluded, left }
  const { extracts, ...data } = entity.data
  const kept = Array.isArray(extracts)
    ? extracts.filter(({ kind, value }) => exclusion(String(kind), String(value)) === undefined)
    : []
  const rest = { ...data, ...(kept.length > 0 && { extracts: kept }) } as FoundEntity['data']
  return { entity: { ...entity, data: rest, observables }, excluded, left }
}
