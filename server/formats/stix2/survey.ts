import { typeOfStixId } from '../../domain/stix-ids.ts'
import { textFrom } from '../../domain/text-from.ts'
import type { Document } from '../document.ts'
import { isContainer } from './container.ts'
import { isObservableType } from './cyber-observables.ts'
import { CORVUS, EXTENSION_ID, separateExtension } from './extension.ts'
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
import { yieldToEventLoop } from './turn.ts'

/** What must be known about the whole document before the first entity can be reported. Large parts are stored on disk. */
export interface Survey {
  /** The ids of all entities and relationships. */
  readonly ids: IdSet
  /** The numbers of entities and relationships in the document, including all versions, and of relationships kept with entities. */
  readonly counts: { entities: number; relationships: number; kept: number }
  /** The newest version of each object that occurs more than once. */
  readonly repeated: Repeated
  /** Supporting objects that are kept with entities, as JSON. */
  readonly supports: SpooledTexts
  /**
   * Objects that belong to an entity although it does not reference them: relationships with its observables, markings of its
   * relationships, translations.
   */
  readonly attached: IdLists
  /** Relationships between two cyber observables, by their ends. */
  readonly between: IdLists
  /** The object references of observed data, as JSON. Sightings refer to observed data. */
  readonly observed: SpooledTexts
  /** The platform ids of entities whose STIX objects have different ids. */
  readonly owns: SpooledTexts
  /** The same platform ids as a set. */
  readonly owned: IdSet
  /** Why the object at a position is skipped. */
  readonly skipped: PlacedTexts
  /** Objects that we wrote for the observables of entities, and that are created again rather than imported. */
  readonly ours: IdSet
  /** The ids of markings, extensions and translations. */
  readonly definitions: Set<string>
  /** The definitions that nothing references. */
  readonly loose: Set<string>
  /** The entity with which the unreferenced definitions are kept. */
  adopter: string | undefined
}

/** The input of a survey: the document, and the spool for data that must wait. */
interface SurveyInput {
  readonly spool: TextSpool
  /** The document for each pass: the first reads all of it, the second runs only if ids are repeated. */
  readonly passes: readonly [Document, Document]
}

/** Number of items to process before yielding to other work. */
const ITEMS_PER_TURN = 1000

/** Reads a document and determines which of its objects belong together. Repeated ids require a second pass. */
export async function surveyOf({ spool, passes: [document, again] }: SurveyInput): Promise<Survey> {
  const survey = emptySurvey(spool)
  const unresolved: number[] = []
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
      for (const id of supporting) survey.attached.add(textFrom(object.source_ref), id)
    else unresolved.push(spool.write(JSON.stringify(object)))
  }
  if (hasTwice) for await (const found of objectsOf(again)) if (isObjectIn(twice, found)) survey.repeated.note(found)
  for (const [i, place] of unresolved.entries()) {
    noteUnresolvedRelationship(survey, JSON.parse(spool.read(place)), place)
    if (i % ITEMS_PER_TURN === 0) await yieldToEventLoop()
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
    skipped: placedTexts(spool),
    ours,
    definitions: new Set(),
    loose: new Set(),
    adopter: undefined,
  }
}

const isObjectIn = (ids: IdSet, found: Located): found is LocatedObject =>
  !('fault' in found) && found.role !== 'support' && ids.has(found.object.id)

/** Whether an id denotes an entity: one in the document, or one that can become a placeholder. */
export function isEntityId(survey: Survey, id: unknown): boolean {
  const type = partsOf(id)?.type
  if (type === undefined || isNoEntityType(type)) return false
  if (survey.supports.has(textFrom(id)) || survey.ours.has(textFrom(id))) return false
  return isDomainType(type) || survey.ids.has(textFrom(id)) || typeOfStixId(textFrom(id)) !== undefined
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
  survey.skipped.set(place, `another object has the id ${object.id}; the ${isNewer ? 'newer' : 'first'} one is used`)
}

function keep({ supports, definitions }: Survey, object: StixObject): void {
  supports.set(object.id, JSON.stringify(object))
  if (isDefinition(object.id)) definitions.add(object.id)
}

function noteEntity(survey: Survey, object: StixObject): void {
  survey.counts.entities++
  if (object.type === 'observed-data') survey.observed.set(object.id, JSON.stringify(textsIn(object.object_refs)))
  const { extension } = separateExtension(object)
  // Containers that we exported adopt nothing: they hold exactly the objects they were made from.
  const mayAdopt = !isContainer(extension?.data ?? {})
  if (mayAdopt && (survey.adopter === undefined || object.id < survey.adopter)) survey.adopter = object.id
  if (typeof extension?.data?.id === 'string') {
    survey.owns.set(object.id, extension.data.id)
    survey.owned.add(extension.data.id)
  }
  for (const kept of extension?.kept ?? []) if (!survey.supports.has(kept.id)) keep(survey, kept)
  for (const { ref } of extension?.observables ?? []) if (ref !== undefined) survey.ours.add(relationId(object.id, ref))
}

/** Handles a relationship with an end that may not be an entity: it is kept with the entity at the other end, or between observables. */
function noteUnresolvedRelationship(survey: Survey, object: StixObject, place: number): void {
  const { id, source_ref, target_ref, modified } = object
  const ends = [textFrom(source_ref), textFrom(target_ref)]
  const entities = ends.filter((end) => isEntityId(survey, end))
  if (survey.ours.has(id) || !partsOf(source_ref) || !partsOf(target_ref)) return
  if (entities.length === 2) {
    for (const each of referencesOf(object).filter(isSupportingId)) survey.attached.add(ends[0] ?? '', each)
    return
  }
  const newest = survey.repeated.get(id)
  if (newest && isLater(newest.modified, modified)) return
  // Of two versions with the same time, the first is used and the other is reported.
  if (survey.supports.has(id)) return
  survey.supports.setPosition(id, place)
  survey.counts.kept++
  for (const end of entities.length > 0 ? entities : ends)
    (entities.length > 0 ? survey.attached : survey.between).add(end, id)
}

/** Handles a marking, an extension or a translation: it is kept with what it describes, or with one entity if that does not exist. */
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
