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

/** The state of an export: what has been written so far. */
interface Progress {
  readonly written: IdSet
  /** References inside objects that represent platform relationships. */
  readonly embedded: IdSet
  /** Object ids that cannot be derived from the ids and types of their entities. */
  readonly ids: Map<string, string>
  /** The container for unreferenced objects, as long as it is the only one. */
  container: StixObject | undefined
  hasContainers: boolean
}

/** Yields the STIX 2.1 objects of a shipment, each once. Definitions follow the objects that use them. */
export async function* stix2Objects(shipment: Shipment, lose: Lose): AsyncGenerator<StixObject> {
  const progress: Progress = {
    written: idSet(),
    embedded: idSet(),
    ids: new Map(),
    container: undefined,
    hasContainers: false,
  }
  for await (const entity of shipment.entities()) yield* entityObjects(entity, shipment, progress, lose)
  for await (const relationship of shipment.relationships()) yield* relationshipObjects(relationship, progress, lose)
}

function* entityObjects(
  shipped: ShippedEntity,
  { attacks }: Pick<Shipment, 'attacks'>,
  progress: Progress,
  lose: Lose,
): Generator<StixObject> {
  // Placeholders for entities that are only referenced have no contents to write.
  if (shipped.meta.is_unresolved_idref === true) return
  // Other formats keep objects of their own.
  const kept = shipped.kept.filter(({ id, object }) => partsOf(id)?.type === object.type && object.id === id)
  const entity = { ...shipped, kept }
  const { data } = entity
  const [valid = [], invalid = []] = sorted(kept.map((each) => each.object as StixObject))
  const { object, others } = writeEntity(entity, attacks, invalid)
  if (entity.attachments.length > 0) lose(data.id, `${entity.attachments.length} attachments: not supported by STIX`)
  if (entity.taxonomy_paths.length > 0) lose(data.id, 'taxonomies: not supported by STIX')
  yield* unwritten([...valid, ...others], progress)
  if (isContainer(entity.data) && others.length + invalid.length === 0 && isMadeOf(entity.data, kept))
    yield* containers(object, progress)
  else yield* unwritten([object], progress)
  if (AMBIGUOUS.has(data.type) && data.id !== object.id) progress.ids.set(data.id, object.id)
  for (const { id } of embeddedRelationships(object, () => true, String)) progress.embedded.add(`relationship--${id}`)
}

/** Separates the objects into valid and invalid ones. */
function sorted(objects: readonly StixObject[]): StixObject[][] {
  const isValid = objects.map(isValidObject)
  return [objects.filter((_, i) => isValid[i]), objects.filter((_, i) => !isValid[i])]
}

/** Entity types whose STIX type depends on their contents. */
const AMBIGUOUS = new Set(['custom-entity', 'ttp', 'vendor-sighting'])

/**
 * A single container is not written, because a reader of the bundle will create the same one. With a second one, their contents could not
 * be told apart, so all of them are written.
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
    lose(`relationship--${id}`, `STIX does not allow relationships with a sighting, such as ${sighting}`)
    return
  }
  const object = writeRelationship(relationship, [source, target])
  if (isValidObject(object)) yield* unwritten([object], progress)
  else lose(`relationship--${id}`, `STIX does not allow this relationship between ${source} and ${target}`)
}

const idOf = (id: string, type: string): string => stixIdOf(id, stixTypeOf({ id, type }))

/** Yields the objects that have not been written yet, followed by the definitions of their markings and extensions. */
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
