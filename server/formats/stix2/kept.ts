import { isRecord } from '../../domain/record.ts'
import type { FoundObservable, KeptObject } from '../finding.ts'
import { isObservableType, observablesOf } from './cyber-observables.ts'
import { type Colour, colourOfObject, isAtMostAsRestricted, type Lookup, predefinedMarking } from './markings.ts'
import { pagedBytes } from './paged-numbers.ts'
import { observablesInPattern } from './pattern-observables.ts'
import { referencesOf } from './references.ts'
import type { SpooledTexts } from './spooled-texts.ts'
import { isSameJson, type StixObject, textsIn } from './stix-object.ts'
import type { Survey } from './survey.ts'

/** Maximum number of objects kept with an entity that are referenced only by other kept objects. */
const FURTHER_LIMIT = 200

/** Maximum number of relationships between an observable and others that are kept with each entity naming the observable. */
const BETWEEN_LIMIT = 20

/**
 * Maximum total number of kept objects that entities do not reference directly. Without it, chains of references could multiply a document.
 */
const UNNAMED_LIMIT = 200_000

/** Maximum number of parsed objects in the cache. */
const CACHE_LIMIT = 1000

/** Decides which supporting objects of a document are kept with which entity. */
export interface Keeping {
  readonly survey: Survey
  readonly lookup: Lookup
  /** The objects that are kept with at least one entity. */
  readonly held: Held
  /** Whether the document contains an entity with this id. */
  isInDocument(id: string): boolean
  /** How many more objects may be kept that entities do not reference directly. */
  unnamedLeft: number
}

/** Records which supporting objects are kept with an entity. */
export interface Held {
  add(id: string): void
  /** Whether the supporting object with this number is kept. */
  hasAt(index: number): boolean
}

function heldAmong({ index }: SpooledTexts): Held {
  const marks = pagedBytes()
  return {
    add(id) {
      const at = index.indexOf(id)
      if (at >= 0) marks.set(at, 1)
    },
    hasAt: (at) => marks.get(at) === 1,
  }
}

/** Creates the initial state for a document. */
export function keepingOf(survey: Survey): Keeping {
  const cache = new Map<string, StixObject>()
  const lookup = (id: string): StixObject | undefined => {
    const known = cache.get(id)
    if (known) return known
    const text = survey.supports.get(id)
    if (text === undefined) return undefined
    if (cache.size === CACHE_LIMIT) cache.clear()
    const object = JSON.parse(text)
    cache.set(id, object)
    return object
  }
  const isInDocument = (id: string): boolean => survey.ids.has(id) || survey.owned.has(id)
  return { survey, lookup, held: heldAmong(survey.supports), isInDocument, unnamedLeft: UNNAMED_LIMIT }
}

/** Returns the objects to keep with an entity: those it references, and those they reference in turn. */
export function keptWith(
  keeping: Keeping,
  object: StixObject,
  except: ReadonlySet<string>,
  own: readonly string[] = [],
): KeptObject[] {
  const { survey } = keeping
  const seen = textsIn(object.observed_data_refs).flatMap((id) => textsIn(JSON.parse(survey.observed.get(id) ?? '[]')))
  const adopted = survey.adopter === object.id ? survey.loose : []
  const direct = [...own, ...referencesOf(object), ...seen, ...survey.attached.of(object.id), ...adopted]
  const between = direct.flatMap((id) => survey.between.of(id, BETWEEN_LIMIT)).slice(0, keeping.unnamedLeft)
  keeping.unnamedLeft -= between.length
  return gather(keeping, [...direct, ...between], colourOfObject(object, keeping.lookup), except)
}

/** Returns the objects of a container entity that we exported: exactly those it lists. */
export const heldBy = (
  keeping: Keeping,
  object: StixObject,
  except: ReadonlySet<string>,
  own: readonly string[] = [],
): KeptObject[] => gather(keeping, [...own, ...referencesOf(object)], colourOfObject(object, keeping.lookup), except)

/**
 * Collects the objects with these ids, the objects they reference, and their translations. Everyone who may see an entity of this TLP
 * colour will see them, so more restricted objects are left out.
 */
export function gather(
  keeping: Keeping,
  ids: readonly string[],
  colour: Colour | undefined,
  except: ReadonlySet<string> = new Set(),
): KeptObject[] {
  const { survey, lookup, held } = keeping
  const found = new Set(except)
  const queue = ids.filter((id) => !found.has(id) && survey.supports.has(id) && found.add(id))
  const named = queue.length
  const limit = named + Math.min(FURTHER_LIMIT, keeping.unnamedLeft)
  const kept: KeptObject[] = []
  for (const id of queue) {
    const object = lookup(id)
    if (!object || !isAtMostAsRestricted(colourOfObject(object, lookup), colour)) continue
    held.add(id)
    // The writer adds predefined markings again where something references them.
    if (survey.loose.has(id) || !isSameJson(object, predefinedMarking(id))) kept.push({ id, object })
    for (const next of [...referencesOf(object), ...survey.attached.of(id)]) {
      if (queue.length === limit) break
      if (!found.has(next) && survey.supports.has(next)) queue.push(next)
      found.add(next)
    }
  }
  keeping.unnamedLeft -= queue.length - named
  return kept
}

/** Returns the distinct observables that an object and the objects kept with it name, and why other values were rejected. */
export function namedWith(
  object: Readonly<Record<string, unknown>>,
  kept: readonly KeptObject[],
): { readonly observables: FoundObservable[]; readonly losses: string[] } {
  const { type, pattern, pattern_type, objects } = object
  const inside = isRecord(objects) ? Object.values(objects) : []
  const named = [
    ...(type === 'indicator' && typeof pattern === 'string' ? [observablesInPattern(pattern, pattern_type)] : []),
    ...[...kept.map((each) => each.object), ...inside].flatMap((each) =>
      isRecord(each) && typeof each.type === 'string' && isObservableType(each.type)
        ? [observablesOf({ ...each, type: each.type })]
        : [],
    ),
  ]
  const observables = new Map(
    named.flatMap((each) => each.observables).map((one) => [`${one.type} ${one.value}`, one] as const),
  )
  return { observables: [...observables.values()], losses: [...new Set(named.flatMap(({ losses }) => losses))] }
}

/**
 * Returns the observables that are linked to an object only by relationship objects; neither the object nor anything it references names
 * them. A later version of the object may arrive without these relationships, although they still exist.
 */
export function joinedWith(object: Readonly<Record<string, unknown>>, kept: readonly KeptObject[]): FoundObservable[] {
  const byId = new Map(kept.map((each) => [each.id, each]))
  const reached = new Set<KeptObject>()
  const queue = referencesOf(object)
  for (const id of queue) {
    const found = byId.get(id)
    if (!found || reached.has(found)) continue
    reached.add(found)
    queue.push(...referencesOf(found.object))
  }
  if (reached.size === kept.length) return []
  const keyOf = ({ type, value }: FoundObservable) => `${type} ${value}`
  const direct = new Set(namedWith(object, [...reached]).observables.map(keyOf))
  return namedWith(object, kept).observables.filter((one) => !direct.has(keyOf(one)))
}
