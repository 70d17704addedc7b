import { isRecord } from '../domain/record.ts'
import type { Shipment, ShippedEntity, ShippedRelationship } from './shipment.ts'
import { type Lookup, markingColour, markingOf } from './stix2/markings.ts'
import { textsIn } from './stix2/stix-object.ts'

type Fields = Readonly<Record<string, unknown>>

/** Sets one TLP colour for everything in a shipment, and removes all traces of the original colours. */
export const overridden = (shipment: Shipment, colour: string): Shipment => ({
  ...shipment,
  async *entities(types) {
    for await (const entity of shipment.entities(types)) yield recolouredEntity(entity, colour)
  },
  async *relationships() {
    for await (const relationship of shipment.relationships()) yield recolouredRelationship(relationship, colour)
  },
})

function recolouredEntity(entity: ShippedEntity, colour: string): ShippedEntity {
  const objects = new Map(entity.kept.map(({ id, object }) => [id, object]))
  const palette = paletteOf(colour, (id) => objects.get(id))
  return {
    ...entity,
    data: recoloured(entity.data, palette) as ShippedEntity['data'],
    meta: { ...entity.meta, tlp_color: colour },
    kept: entity.kept
      .filter(({ id }) => !palette.isColour(id))
      .map(({ id, object }) => ({ id, object: recoloured(object, palette) as typeof object })),
  }
}

const recolouredRelationship = (relationship: ShippedRelationship, colour: string): ShippedRelationship => ({
  ...relationship,
  data: recoloured(
    relationship.data,
    paletteOf(colour, () => undefined),
  ) as ShippedRelationship['data'],
  meta: { ...relationship.meta, tlp_color: colour },
})

interface Palette {
  /** The STIX 2 marking of the colour; undefined if nothing is to be marked. */
  readonly marking: string | undefined
  isColour(id: unknown): boolean
}

const paletteOf = (colour: string, lookup: Lookup): Palette => ({
  marking: markingOf(colour),
  isColour: (id) => typeof id === 'string' && markingColour(id, lookup) !== undefined,
})

/** Replaces the markings in a document at any depth. */
function recoloured(value: unknown, palette: Palette): unknown {
  if (Array.isArray(value)) return value.map((item) => recoloured(item, palette))
  if (!isRecord(value)) return value
  const members = Object.entries(value).map(
    ([name, member]) => [name, recolouredMember(name, member, palette)] as const,
  )
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

/** Returns the new value of a property; undefined if it is removed. Recorded original markings are not restored. */
function recolouredMember(name: string, member: unknown, palette: Palette): unknown {
  switch (name) {
    case 'object_marking_refs':
      return remarked(textsIn(member), palette)
    case 'granular_markings':
      return filled(itemsOf(member).filter(({ marking_ref }) => !palette.isColour(marking_ref)))
    case 'handling':
      return filled(itemsOf(member).flatMap(uncolouredMarking))
    default:
      return recoloured(member, palette)
  }
}

/** Replaces the colours among the markings of a STIX 2 object. */
function remarked(ids: readonly string[], { isColour, marking }: Palette): readonly string[] | undefined {
  const others = ids.filter((id) => !isColour(id))
  return filled(others.length < ids.length && marking !== undefined ? [...others, marking] : others)
}

function uncolouredMarking(marking: Fields): Fields[] {
  const structures = itemsOf(marking.marking_structures)
  const left = structures.flatMap(uncoloured)
  return left.length === 0 && structures.length > 0 ? [] : [{ ...marking, marking_structures: left }]
}

/** Removes the colour from a STIX 1 marking. A marking that contains nothing else, or its colour in XML, is removed. */
function uncoloured(structure: Fields): Fields[] {
  const { color, ...rest } = structure
  if (color === undefined && structure.marking_structure_type !== 'tlp') return [structure]
  return structure.statement !== undefined || structure.terms_of_use !== undefined ? [rest] : []
}

const itemsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)
