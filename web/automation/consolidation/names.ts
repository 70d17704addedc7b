import type { Entity } from '../../api/resources.ts'
import { namesIn, type Reason } from '../../domain/match-reasons.ts'

type Named = Pick<Entity, 'data' | 'meta'>

const FIELDS = ['name', 'aliases', 'names', 'x_mitre_aliases', 'x_opencti_aliases'] as const

/** The other names of an entity, without its title, each once. */
export function otherNames({ data, meta }: Named): readonly string[] {
  const record: Readonly<Record<string, unknown>> = data
  const all = [...FIELDS.flatMap((field) => textsIn(record[field])), ...textsIn(meta.alias)]
  const known = new Set([normalised(titleOf({ data }))])
  return all.filter((name) => {
    const key = normalised(name)
    if (key === '' || known.has(key)) return false
    known.add(key)
    return true
  })
}

/** The stored title of an entity, to compare it with others. */
export const titleOf = ({ data }: { readonly data: { readonly title?: string } }): string => String(data.title ?? '')

/** The texts in a value: a text, a record with a value, or a list of them. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'object' && value !== null && 'value' in value ? textsIn(value.value) : []
}

/** The ATT&CK id that MISP appends to titles: “APT28 - G0007”. */
const CATALOGUE_ID = / - [A-Z]\d{4}$/

const SEPARATORS = /[^\p{L}\p{N}+#$@&%*!]+/gu
const DIGIT = /\p{Nd}/u

/** A name without case, accents and punctuation, as the server compares names: “APT 28” and “apt-28” are equal, “3.0” and “30” are not. */
export const normalised = (name: string): string =>
  name
    .trim()
    .replace(CATALOGUE_ID, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(SEPARATORS, (separator: string, at: number, whole: string) =>
      DIGIT.test(whole.charAt(at - 1)) && DIGIT.test(whole.charAt(at + separator.length)) ? '.' : '',
    )

const allNames = (entity: Named): readonly string[] => [titleOf(entity), ...otherNames(entity)]

/** The normalised names that two entities share, and those that the reasons are about. */
export function sharedNames(first: Named, second: Named, reasons: readonly Reason[]): ReadonlySet<string> {
  const namesOf = (entity: Named) =>
    new Set(
      allNames(entity)
        .map(normalised)
        .filter((name) => name !== ''),
    )
  const shared = namesOf(first).intersection(namesOf(second))
  return shared.union(new Set(reasons.flatMap(namesIn).map(normalised)))
}

/** A reason with names as they are spelled by one of the entities, because reasons contain normalised ones. */
export function spelled<R extends Reason>(reason: R, spellings: readonly string[]): R {
  const names = namesIn(reason)
  if (names.length === 0) return reason
  const known = new Map(spellings.map((name) => [normalised(name), name]).reverse() as [string, string][])
  return { ...reason, value: names.map((name) => known.get(normalised(name)) ?? name).join(' / ') }
}

/** The spellings of all names of two entities, those of the first taking precedence. */
export const spellingsOf = (entities: readonly Named[]): readonly string[] => entities.flatMap(allNames)
