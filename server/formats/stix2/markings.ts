import { isRecord } from '../../domain/record.ts'
import { type StixObject, textsIn } from './stix-object.ts'

/** TLP colours as they occur in documents, from the least to the most restricted. */
const COLOURS = ['WHITE', 'CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const

export type Colour = (typeof COLOURS)[number]

const PREFIX = 'marking-definition--'
const TLP_2 = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d'

const tlp1 = (uuid: string, colour: string): StixObject => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id: `${PREFIX}${uuid}`,
  created: '2017-01-20T00:00:00.000Z',
  definition_type: 'tlp',
  name: `TLP:${colour.toUpperCase()}`,
  definition: { tlp: colour },
})

const tlp2 = (uuid: string, colour: string): StixObject => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id: `${PREFIX}${uuid}`,
  created: '2022-10-01T00:00:00.000Z',
  name: `TLP:${colour.toUpperCase()}`,
  extensions: { [TLP_2]: { extension_type: 'property-extension', tlp_2_0: colour } },
})

const PREDEFINED: readonly (readonly [Colour, StixObject])[] = [
  ['WHITE', tlp1('613f2e26-407d-48c7-9eca-b8e91df99dc9', 'white')],
  ['GREEN', tlp1('34098fce-860f-48ae-8e50-ebd3cc5e41da', 'green')],
  ['AMBER', tlp1('f88d31f6-486f-44da-b317-01333bde0b82', 'amber')],
  ['RED', tlp1('5e57c739-391a-4eb3-b6be-7d15ca92d5ed', 'red')],
  ['CLEAR', tlp2('94868c89-83c2-464b-929b-a1a8aa3c8487', 'clear')],
  ['GREEN', tlp2('bab4a63c-aed9-4cf5-a766-dfca5abac2bb', 'green')],
  ['AMBER', tlp2('55d920b0-5e8b-4f79-9ee9-91f868d9b421', 'amber')],
  ['AMBER_STRICT', tlp2('939a9414-2ddd-4d32-a0cd-375ea402b003', 'amber+strict')],
  ['RED', tlp2('e828b379-4e03-4974-9ac4-e53a884c97c1', 'red')],
]

const DEFINITIONS: ReadonlyMap<string, StixObject> = new Map(PREDEFINED.map(([, object]) => [object.id, object]))
const COLOURS_BY_ID: ReadonlyMap<string, Colour> = new Map(PREDEFINED.map(([colour, { id }]) => [id, colour]))

/** Finds an object of the same document by id. */
export type Lookup = (id: string) => Readonly<Record<string, unknown>> | undefined

/** Returns the definition of a predefined marking; undefined for any other id. */
export const predefinedMarking = (id: string): StixObject | undefined => DEFINITIONS.get(id)

/** Returns the marking id for a platform colour; undefined if there is none. */
export function markingOf(colour: unknown): string | undefined {
  return PREDEFINED.find(([name]) => name === colour)?.[1].id
}

/** Returns the TLP colour of a marking, which is either predefined or defined in the document in one of two ways. */
export function markingColour(id: string, lookup: Lookup): Colour | undefined {
  const known = COLOURS_BY_ID.get(id)
  if (known || !id.startsWith(PREFIX)) return known
  const object = lookup(id)
  if (!object) return undefined
  const { definition, extensions } = object
  const said = [
    isRecord(definition) ? definition.tlp : undefined,
    ...(isRecord(extensions) ? Object.values(extensions).map((one) => (isRecord(one) ? one.tlp_2_0 : undefined)) : []),
  ]
  const words = said.map((word) =>
    String(word ?? '')
      .toUpperCase()
      .replace(/^TLP:/, '')
      .replace('+', '_'),
  )
  return strictest(words.flatMap((word) => COLOURS.find((colour) => colour === word) ?? []))
}

/** Returns the strictest TLP colour among the markings of an object, including granular markings; undefined if there is none. */
export function colourOfObject(object: Readonly<Record<string, unknown>>, lookup: Lookup): Colour | undefined {
  const parts = Array.isArray(object.granular_markings) ? object.granular_markings : []
  const ids = [
    ...textsIn(object.object_marking_refs),
    ...parts.flatMap((part) => (isRecord(part) && typeof part.marking_ref === 'string' ? [part.marking_ref] : [])),
  ]
  return strictest(ids.flatMap((id) => markingColour(id, lookup) ?? []))
}

/** Whether everyone who may see `other` may also see `colour`. No colour is the least restricted. */
export const isAtMostAsRestricted = (colour: Colour | undefined, other: Colour | undefined): boolean =>
  rank(colour) <= rank(other)

/** The restriction level of a colour. CLEAR is the newer name of WHITE. */
const rank = (colour: Colour | undefined): number =>
  colour === undefined ? -1 : COLOURS.indexOf(colour === 'CLEAR' ? 'WHITE' : colour)

const strictest = (colours: readonly Colour[]): Colour | undefined =>
  COLOURS.findLast((colour) => colours.includes(colour))

/**
 * Returns the markings of an object with this platform colour: its own if they express that colour, otherwise the colour's marking together
 * with its non-TLP markings.
 */
export function markingRefs(object: Readonly<Record<string, unknown>>, colour: unknown, lookup: Lookup): string[] {
  const refs = textsIn(object.object_marking_refs)
  const isColourUnknown = colour === undefined || colour === null
  if (isColourUnknown || isStored(colourOfObject(object, lookup), colour)) return refs
  const marking = markingOf(colour)
  return [...refs.filter((id) => markingColour(id, lookup) === undefined), ...(marking ? [marking] : [])]
}

/** Whether the platform stores the document's colour as `stored`. TLP 2 colours are stored as their TLP 1 equivalents. */
function isStored(given: Colour | undefined, stored: unknown): boolean {
  if (given === undefined) return stored === 'NONE'
  if (given === 'CLEAR') return stored === 'WHITE' || stored === 'CLEAR'
  if (given === 'AMBER_STRICT') return stored === 'RED' || stored === 'AMBER' || stored === 'AMBER_STRICT'
  return stored === given
}
