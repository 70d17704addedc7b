import type { Shipment, ShippedEntity, ShippedRelationship } from '../shipment.ts'
import { isContainer, isMadeOf } from './container.ts'
import { CORVUS, EXTENSION_DEFINITION, EXTENSION_ID } from './extension.ts'
import { isValidObject } from './faults.ts'
import { type IdSet, idSet } from './id-set.ts'
import { partsOf, stixIdOf, stixTypeOf, uuidOf } from './ids.ts'
import { predefinedMarking } from './markings.ts'
import { embeddedRelationships } from './read-relationship.ts'
import { referencesOf } from './references.ts'
import type { StixObject } from './stix-object.ts'
import { writeEntity } from './write-entity.ts'
import { writeRelationship } from './write-relationship.ts'

type Lose = (id: string, loss: string) => void

/** What is known of what was written already. */
interface Progress {
  readonly written: IdSet
  /** The references inside objects that stand for relationships of the platform. */
  readonly embedded: IdSet
  /** The ids of objects that cannot be told from those of their entities. */
  readonly ids: Map<string, string>
  /** The report for what belongs to nobody, while it is the only one of its kind. */
  container: StixObject | undefined
  hasContainers: boolean
}

/** The objects of STIX 2.1 for a shipment, one by one, each once; definitions come behind what they are about. */
export async function* stix2Objects(shipment: Shipment, lose: Lose): AsyncGenerator<StixObject> {
  const progress: Progress = {
    written: idSet(),
    embedded: idSet(),
    ids: new Map(),
    container: undefined,
    hasContainers: false,
  }
  for await (const entity of shipment.entities()) yield* entityObjects(entity, progress, lose)
  for await (const relationship of shipment.relationships()) yield* relationshipObjects(relationship, progress, lose)
}

function* entityObjects(shipped: ShippedEntity, progress: Progress, lose: Lose): Generator<StixObject> {
  // Of one that is only referred to there is nothing to say.
  if (shipped.meta.is_unresolved_idref === true) return
  // Other formats keep objects of their own.
  const kept = shipped.kept.filter(({ id, object }) => partsOf(id)?.type === object.type && object.id === id)
  const entity = { ...shipped, kept }
  const { data } = entity
  const [valid = [], invalid = []] = sorted(kept.map((each) => each.object as StixObject))
  const { object, others } = writeEntity(entity, invalid)
  if (entity.attachments.length > 0)
    lose(data.id, `${entity.attachments.length} attachments: STIX has no place for them`)
  if (entity.taxonomy_paths.length > 0) lose(data.id, 'taxonomies: STIX has no place for them')
  yield* unwritten([...valid, ...others], progress)
  if (isContainer(entity.data) && others.length + invalid.length === 0 && isMadeOf(entity.data, kept))
    yield* containers(object, progress)
  else yield* unwritten([object], progress)
  if (AMBIGUOUS.has(data.type) && data.id !== object.id) progress.ids.set(data.id, object.id)
  for (const { id } of embeddedRelationships(object, () => true, String)) progress.embedded.add(`relationship--${id}`)
}

/** The objects that STIX takes, and the others. */
function sorted(objects: readonly StixObject[]): StixObject[][] {
  const isValid = objects.map(isValidObject)
  return [objects.filter((_, i) => isValid[i]), objects.filter((_, i) => !isValid[i])]
}

/** Types of entities whose types in STIX depend on what they say. */
const AMBIGUOUS = new Set(['custom-entity', 'ttp', 'vendor-sighting'])

/**
 * Reports for what belongs to nobody go without saying: who reads the bundle makes the same again. With a second one nobody could
 * tell what was in which, and they are written.
 */
function* containers(object: StixObject, progress: Progress): Generator<StixObject> {
  const { container, hasContainers } = progress
  if (container) yield* unwritten([container], progress)
  if (hasContainers) yield* unwritten([object], progress)
  progress.container = hasContainers ? undefined : object
  progress.hasContainers = true
}

function* relationshipObjects(
  relationship: ShippedRelationship,
  progress: Progress,
  lose: Lose,
): Generator<StixObject> {
  const { id, data } = relationship
  const source = progress.ids.get(data.source) ?? idOf(data.source, relationship.source_type)
  const target = progress.ids.get(data.target) ?? idOf(data.target, relationship.target_type)
  const property = data.stix_property
  if (typeof property === 'string' && progress.embedded.has(`relationship--${uuidOf(source, property, target)}`)) return
  const sighting = [source, target].find((end) => end.startsWith('sighting--'))
  if (sighting) {
    lose(`relationship--${id}`, `STIX knows no relationship with a sighting, such as ${sighting}`)
    return
  }
  const object = writeRelationship(relationship, [source, target])
  if (isValidObject(object)) yield* unwritten([object], progress)
  else lose(`relationship--${id}`, `STIX knows no such relationship, between ${source} and ${target}`)
}

const idOf = (id: string, type: string): string => stixIdOf(id, stixTypeOf({ id, type }))

/** Those of the objects that were not written yet, and then the definitions of what they are marked and extended with. */
function* unwritten(objects: readonly StixObject[], { written }: Progress): Generator<StixObject> {
  const fresh = objects.filter(({ id }) => written.add(id))
  yield* fresh
  for (const object of fresh) {
    for (const id of referencesOf(object)) {
      const ours = id === EXTENSION_ID || id === CORVUS.id ? [CORVUS, EXTENSION_DEFINITION] : []
      const marking = predefinedMarking(id)
      for (const definition of marking ? [marking] : ours) if (written.add(definition.id)) yield definition
    }
  }
}
