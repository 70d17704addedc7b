import type { Entity } from '../../api/resources.ts'
import { namesIn, type Reason } from '../../domain/match-reasons.ts'

type Named = Pick<Entity, 'data' | 'meta'>

const FIELDS = ['aliases', 'names', 'x_mitre_aliases', 'alternative_names'] as const

/** The other names of an entity, without its title, each once. */
export function otherNames({ data, meta }: Named): readonly string[] {
  const record: Readonly<Record<string, unknown>> = data
  const all = [...FIELDS.flatMap((field) => textsIn(record[field])), ...textsIn(meta.alias)]
  const known = new Set([normalised(String(record.title ?? ''))])
  return all.filter((name) => {
    const key = normalised(name)
    if (key === '' || known.has(key)) return false
    known.add(key)
    return true
  })
}

/** The texts in a value: a text, a record with a value, or a list of them. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'object' && value !== null && 'value' in value ? textsIn(value.value) : []
}

/** A name without case, accents and punctuation, so that spellings of the same name are equal. */
export const normalised = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The normalised names that two entities share, and those that the reasons are about. */
export function sharedNames(first: Named, second: Named, reasons: readonly Reason[]): ReadonlySet<string> {
  const namesOf = (entity: Named) =>
    new Set([String(entity.data.title), ...otherNames(entity)].map(normalised).filter((name) => name !== ''))
  const shared = namesOf(first).intersection(namesOf(second))
  return shared.union(new Set(reasons.flatMap(namesIn).map(normalised)))
}
