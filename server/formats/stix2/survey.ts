import { typeOfStixId } from '../../domain/stix-ids.ts'
import type { Document } from '../document.ts'
import { isContainer } from './container.ts'
import { isObservableType } from './cyber-observables.ts'
import { CORVUS, EXTENSION_ID, takeExtension } from './extension.ts'
import { type IdLists, idLists } from './id-lists.ts'
import { type IdSet, idSet } from './id-set.ts'
import { isDomainType, partsOf } from './ids.ts'
import { type Located, type LocatedObject, objectsOf } from './objects-of.ts'
import { type PlacedTexts, placedTexts } from './placed-texts.ts'
import { referencesOf } from './references.ts'
import { relationId } from './relation-id.ts'
import { type Repeated, repeatedIn } from './repeated.ts'
import { type SpooledTexts, spooledTexts } from './spooled-texts.ts'
import { isSameJson, type StixObject, textsIn } from './stix-object.ts'
import type { TextSpool } from './text-spool.ts'
import { isLater } from './times.ts'
import { othersHadTheirTurn } from './turn.ts'

/** What has to be known of a whole document before its first entity can be told. What takes room is on disk. */
export interface Survey {
  /** The ids of all entities and relationships. */
  readonly ids: IdSet
  /** How many entities and relationships stand in the document, with all their versions, and how many relationships are kept with entities. */
  readonly counts: { entities: number; relationships: number; kept: number }
  /** Of those that stand in the document more than once, the newest version. */
  readonly repeated: Repeated
  /** What is kept with entities, as JSON. */
  readonly supports: SpooledTexts
  /**
   * What belongs to an entity without being named in it: relationships with its observables, what its
   * relationships are marked with, translations.
   */
  readonly attached: IdLists
  /** Relationships between two cyber observables, by their ends. */
  readonly between: IdLists
  /** What observed data refer to, as JSON; sightings name them by it. */
  readonly observed: SpooledTexts
  /** The ids of entities whose objects have others. */
  readonly owns: SpooledTexts
  /** The same ids, to find them by. */
  readonly owned: IdSet
  /** What stands at a place and is not taken, and why. */
  readonly passedOver: PlacedTexts
  /** What we wrote ourselves and make again: observables of entities. */
  readonly ours: IdSet
  /** The ids of markings, extensions and translations. */
  readonly definitions: Set<string>
  /** Those of them that nothing refers to. */
  readonly loose: Set<string>
  /** The entity that those are kept with. */
  adopter: string | undefined
}

/** How a document is surveyed: what it reads, and where it puts aside what waits. */
interface Surveying {
  readonly spool: TextSpool
  /** The document, for each time that it is read: first all of it, then once more where ids are repeated. */
  readonly passes: readonly [Document, Document]
}

/** How many things are done before others have their turn. */
const TURN = 1000

/** Reads a document, and tells what belongs together in it; a second time where ids are repeated. */
export async function surveyOf({ spool, passes: [document, again] }: Surveying): Promise<Survey> {
  const survey = emptySurvey(spool)
  const half: number[] = []
  const named = idSet(spool.openFile)
  const twice = idSet(spool.openFile)
  let hasTwice = false
  for await (const found of objectsOf(document)) {
    if ('fault' in found) continue
    const { object, inner, role, index } = found
    if (survey.ours.has(object.id)) continue
    const supporting = referencesOf(object).filter(isSupportingId)
    for (const id of supporting) named.add(id)
    for (const one of inner) noteSupport(survey, one, index)
    if (role === 'support') noteSupport(survey, object, index)
    else if (!survey.ids.add(object.id)) hasTwice = twice.add(object.id) || hasTwice
    if (role === 'entity') noteEntity(survey, object)
    if (role !== 'relationship') continue
    survey.counts.relationships++
    if (isSurelyEntity(object.source_ref) && isSurelyEntity(object.target_ref))
      for (const id of supporting) survey.attached.add(String(object.source_ref), id)
    else half.push(spool.write(JSON.stringify(object)))
  }
  if (hasTwice) for await (const found of objectsOf(again)) if (isOneOf(twice, found)) survey.repeated.note(found)
  for (const [i, place] of half.entries()) {
    noteHalf(survey, JSON.parse(spool.read(place)), place)
    if (i % TURN === 0) await othersHadTheirTurn()
  }
  for (const id of survey.definitions) noteDefinition(survey, id, named)
  return survey
}

function emptySurvey(spool: TextSpool): Survey {
  const supports = spooledTexts(spool)
  const { openFile } = spool
  const ours = idSet(openFile)
  for (const id of [CORVUS.id, EXTENSION_ID]) ours.add(id)
  return {
    ids: idSet(openFile),
    counts: { entities: 0, relationships: 0, kept: 0 },
    repeated: repeatedIn(spool),
    supports,
    attached: idLists(supports.index, openFile),
    between: idLists(supports.index, openFile),
    observed: spooledTexts(spool),
    owns: spooledTexts(spool),
    owned: idSet(openFile),
    passedOver: placedTexts(spool),
    ours,
    definitions: new Set(),
    loose: new Set(),
    adopter: undefined,
  }
}

const isOneOf = (ids: IdSet, found: Located): found is LocatedObject =>
  !('fault' in found) && found.role !== 'support' && ids.has(found.object.id)

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

const isDefinition = (id: string): boolean => isSupportingId(id) || id.startsWith('language-content--')

const isSurelyEntity = (id: unknown): boolean => isDomainType(partsOf(id)?.type ?? '')

function noteSupport(survey: Survey, object: StixObject, place: number): void {
  const known = survey.supports.get(object.id)
  if (known === undefined) {
    keep(survey, object)
    return
  }
  const before = JSON.parse(known)
  if (isSameJson(before, object)) return
  const isNewer = isLater(object.modified, before.modified)
  if (isNewer) keep(survey, object)
  survey.passedOver.set(
    place,
    `another object has the id ${object.id}; the ${isNewer ? 'newer' : 'first'} one is taken`,
  )
}

function keep({ supports, definitions }: Survey, object: StixObject): void {
  supports.set(object.id, JSON.stringify(object))
  if (isDefinition(object.id)) definitions.add(object.id)
}

function noteEntity(survey: Survey, object: StixObject): void {
  survey.counts.entities++
  if (object.type === 'observed-data') survey.observed.set(object.id, JSON.stringify(textsIn(object.object_refs)))
  const { extension } = takeExtension(object)
  // What we made for things that belong to nobody takes nothing in: it holds what it was made of.
  const mayAdopt = !isContainer(extension?.data ?? {})
  if (mayAdopt && (survey.adopter === undefined || object.id < survey.adopter)) survey.adopter = object.id
  if (typeof extension?.data?.id === 'string') {
    survey.owns.set(object.id, extension.data.id)
    survey.owned.add(extension.data.id)
  }
  for (const kept of extension?.kept ?? []) if (!survey.supports.has(kept.id)) keep(survey, kept)
  for (const { ref } of extension?.observables ?? []) if (ref !== undefined) survey.ours.add(relationId(object.id, ref))
}

/** A relationship with an end that may be no entity: it is kept with the entity at its other end, or between observables. */
function noteHalf(survey: Survey, object: StixObject, place: number): void {
  const { id, source_ref, target_ref, modified } = object
  const ends = [String(source_ref), String(target_ref)]
  const entities = ends.filter((end) => isEntityId(survey, end))
  if (survey.ours.has(id) || !partsOf(source_ref) || !partsOf(target_ref)) return
  if (entities.length === 2) {
    for (const each of referencesOf(object).filter(isSupportingId)) survey.attached.add(ends[0] ?? '', each)
    return
  }
  const newest = survey.repeated.get(id)
  if (newest && isLater(newest.modified, modified)) return
  // Of two with the same time the first is taken, and the other one reported.
  if (survey.supports.has(id)) return
  survey.supports.setPlace(id, place)
  survey.counts.kept++
  for (const end of entities.length > 0 ? entities : ends)
    (entities.length > 0 ? survey.attached : survey.between).add(end, id)
}

/** A marking, an extension or a translation: kept with what it is about, or with one entity where it is about nothing. */
function noteDefinition(survey: Survey, id: string, named: IdSet): void {
  const text = id.startsWith('language-content--') ? survey.supports.get(id) : undefined
  if (text === undefined) {
    if (!named.has(id)) survey.loose.add(id)
    return
  }
  const about: unknown = JSON.parse(text).object_ref
  if (typeof about === 'string' && (survey.supports.has(about) || isEntityId(survey, about)))
    survey.attached.add(about, id)
  else survey.loose.add(id)
}
