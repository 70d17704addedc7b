import { typeOfStixId } from '../../domain/stix-ids.ts'
import type { Document } from '../document.ts'
import { isContainer } from './container.ts'
import { isObservableType } from './cyber-observables.ts'
import { CORVUS, EXTENSION_ID, takeExtension } from './extension.ts'
import { type IdSet, idSet } from './id-set.ts'
import { isDomainType, partsOf } from './ids.ts'
import { objectsOf } from './objects-of.ts'
import { referencesOf } from './references.ts'
import { relationId } from './relation-id.ts'
import { isSameJson, type StixObject, textsIn } from './stix-object.ts'
import { isLater } from './times.ts'

/** What has to be known of a whole document before its first entity can be told. */
export interface Survey {
  /** The ids of all entities and relationships. */
  readonly ids: IdSet
  /** Of those that stand in the document more than once, where the newest version stands. */
  readonly repeated: ReadonlyMap<string, Version>
  /** What is kept with entities, as JSON: parsed it would take several times the room. */
  readonly supports: Map<string, string>
  /**
   * What belongs to an entity without being named in it: relationships with its observables, what its
   * relationships are marked with, translations.
   */
  readonly attached: Map<string, Set<string>>
  /** Relationships between two cyber observables, by their ends. */
  readonly between: Map<string, Set<string>>
  /** What observed data refer to; sightings name them by it. */
  readonly observed: Map<string, readonly string[]>
  /** The ids of entities whose objects have others. */
  readonly owns: Map<string, string>
  /** What stands at a place and is not taken, and why. */
  readonly passedOver: Map<string, string>
  /** What we wrote ourselves and make again: observables of entities. */
  readonly ours: IdSet
  /** The ids of markings, extensions and translations that nothing refers to. */
  readonly loose: Set<string>
  /** The entity that those are kept with. */
  adopter: string | undefined
}

/** One of the versions of an object. */
interface Version {
  readonly at: string
  readonly modified: unknown
}

/** Reads a document, and tells what belongs together in it; a second time where ids are repeated. */
export async function surveyOf(document: Document): Promise<Survey> {
  const repeated = new Map<string, Version>()
  const survey: Survey = {
    ids: idSet(),
    repeated,
    supports: new Map(),
    attached: new Map(),
    between: new Map(),
    observed: new Map(),
    owns: new Map(),
    passedOver: new Map(),
    ours: idSet(),
    loose: new Set(),
    adopter: undefined,
  }
  for (const id of [CORVUS.id, EXTENSION_ID]) survey.ours.add(id)
  const half: string[] = []
  const named = new Set<string>()
  const twice = new Set<string>()
  for await (const found of objectsOf(document)) {
    if ('fault' in found) continue
    const { object, inner, role, at } = found
    if (survey.ours.has(object.id)) continue
    const supporting = referencesOf(object).filter(isSupportingId)
    for (const id of supporting) named.add(id)
    for (const one of inner) noteSupport(survey, one, at)
    if (role === 'support') noteSupport(survey, object, at)
    else if (!survey.ids.add(object.id)) twice.add(object.id)
    if (role === 'entity') noteEntity(survey, object)
    if (role !== 'relationship') continue
    if (isSurelyEntity(object.source_ref) && isSurelyEntity(object.target_ref))
      for (const id of supporting) setIn(survey.attached, String(object.source_ref)).add(id)
    else half.push(JSON.stringify(object))
  }
  if (twice.size > 0) await noteNewest(document, twice, repeated)
  for (const text of half) noteHalf(survey, text)
  for (const [id, text] of survey.supports) noteOthers(survey, id, text, named)
  return survey
}

/** Whether an object at a place is the version that counts of it. */
export function isNewest({ repeated }: Survey, id: string, at: string): boolean {
  const newest = repeated.get(id)
  return !newest || newest.at === at
}

/** Whether an id is that of an entity: one of the document, or one that a placeholder can stand for. */
export function isEntityId(survey: Survey, id: unknown): boolean {
  const type = partsOf(id)?.type
  if (type === undefined || isNoEntityType(type)) return false
  if (survey.supports.has(String(id)) || survey.ours.has(String(id))) return false
  return isDomainType(type) || survey.ids.has(String(id)) || typeOfStixId(String(id)) !== undefined
}

const NO_ENTITIES = new Set([
  'bundle',
  'extension-definition',
  'language-content',
  'marking-definition',
  'relationship',
])

const isNoEntityType = (type: string): boolean => NO_ENTITIES.has(type) || isObservableType(type)

const isSupportingId = (id: string): boolean =>
  id.startsWith('marking-definition--') || id.startsWith('extension-definition--')

const isSurelyEntity = (id: unknown): boolean => isDomainType(partsOf(id)?.type ?? '')

/** Finds the newest versions of some objects. To remember the times of all, in case one comes again, would take much more memory. */
async function noteNewest(document: Document, ids: ReadonlySet<string>, newest: Map<string, Version>): Promise<void> {
  for await (const found of objectsOf(document)) {
    if ('fault' in found || found.role === 'support' || !ids.has(found.object.id)) continue
    const { id, modified } = found.object
    const known = newest.get(id)
    if (!known || isLater(modified, known.modified)) newest.set(id, { at: found.at, modified })
  }
}

function noteSupport({ supports, passedOver }: Survey, object: StixObject, at: string): void {
  const known = supports.get(object.id)
  if (known === undefined) {
    supports.set(object.id, JSON.stringify(object))
    return
  }
  const before = JSON.parse(known)
  if (isSameJson(before, object)) return
  const isNewer = isLater(object.modified, before.modified)
  if (isNewer) supports.set(object.id, JSON.stringify(object))
  passedOver.set(at, `another object has the id ${object.id}; the ${isNewer ? 'newer' : 'first'} one is taken`)
}

function noteEntity(survey: Survey, object: StixObject): void {
  if (object.type === 'observed-data') survey.observed.set(object.id, textsIn(object.object_refs))
  const { extension } = takeExtension(object)
  // What we made for things that belong to nobody takes nothing in: it holds what it was made of.
  const mayAdopt = !isContainer(extension?.data ?? {})
  if (mayAdopt && (survey.adopter === undefined || object.id < survey.adopter)) survey.adopter = object.id
  if (typeof extension?.data?.id === 'string') survey.owns.set(object.id, extension.data.id)
  for (const kept of extension?.kept ?? [])
    if (!survey.supports.has(kept.id)) survey.supports.set(kept.id, JSON.stringify(kept))
  for (const { ref } of extension?.observables ?? []) if (ref !== undefined) survey.ours.add(relationId(object.id, ref))
}

/** A relationship with an end that may be no entity: it is kept with the entity at its other end, or between observables. */
function noteHalf(survey: Survey, text: string): void {
  const object: StixObject = JSON.parse(text)
  const { id, source_ref, target_ref, modified } = object
  const ends = [String(source_ref), String(target_ref)]
  const entities = ends.filter((end) => isEntityId(survey, end))
  if (survey.ours.has(id) || !partsOf(source_ref) || !partsOf(target_ref)) return
  if (entities.length === 2) {
    for (const each of referencesOf(object).filter(isSupportingId)) setIn(survey.attached, ends[0] ?? '').add(each)
    return
  }
  if (isLater(survey.repeated.get(id)?.modified, modified)) return
  // Of two with the same time the first is taken, and the other one reported.
  if (survey.supports.has(id)) return
  survey.supports.set(id, text)
  for (const end of entities.length > 0 ? entities : ends)
    setIn(entities.length > 0 ? survey.attached : survey.between, end).add(id)
}

function noteOthers(survey: Survey, id: string, text: string, named: ReadonlySet<string>): void {
  const { type, object_ref: about } = id.startsWith('language-content--')
    ? JSON.parse(text)
    : { type: '', object_ref: '' }
  if (type === 'language-content' && (survey.supports.has(about) || isEntityId(survey, about)))
    setIn(survey.attached, about).add(id)
  else if (type === 'language-content' || (isSupportingId(id) && !named.has(id))) survey.loose.add(id)
}

function setIn(map: Map<string, Set<string>>, key: string): Set<string> {
  const set = map.get(key) ?? new Set()
  if (set.size === 0) map.set(key, set)
  return set
}
