import { attributeOf, childOf, childrenOf, textOf, typeNameOf, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { compact, type Json } from './json.ts'
import { informationSourceOf } from './records.ts'
import type { Taken } from './taken.ts'

/** Handling restrictions of a component or package. */
export interface Handling {
  readonly tlp: string | undefined
  /** The markings that contain more than a colour. */
  readonly markings: readonly Json[]
  readonly losses: readonly string[]
}

export const NO_HANDLING: Handling = { tlp: undefined, markings: [], losses: [] }

/** From the least to the most restricted. Unknown colours count as RED, so that they never disclose restricted data. */
const COLOURS = ['WHITE', 'CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED']

/** Reads the markings of a component, or of a whole package. */
export function handlingOf(element: XmlElement | undefined, isPackage: boolean, taken: Taken): Handling {
  if (!element) return NO_HANDLING
  taken.add(element)
  const losses: string[] = []
  const markings: Json[] = []
  let tlp: string | undefined
  for (const marking of childrenOf(element, 'Marking')) {
    const structures = childrenOf(marking, 'Marking_Structure').map(structureOf)
    const colour = structures.map(({ color }) => color).reduce(stricterOf, undefined)
    const path = textOf(childOf(marking, 'Controlled_Structure'))
    if (isPackage && colour !== undefined && !isOfEverything(path))
      losses.push(`the marking ${colour} applies to '${path.slice(0, 120)}', but is applied to the whole package`)
    for (const { fault } of structures) if (fault !== undefined) losses.push(fault)
    tlp = stricterOf(tlp, colour)
    const record = compact({
      controlled_structure: path,
      marking_structures: structures.filter(({ isColourOnly }) => !isColourOnly).map(({ record }) => record),
      information_source: informationSourceOf(childOf(marking, 'Information_Source'), new Set()),
    })
    if (record?.marking_structures) markings.push({ type: 'marking-specification', ...record })
  }
  return { tlp, markings, losses }
}

/** Combines the handling of a component with that of its package: the stricter colour, and the markings of both. */
export const combined = (own: Handling, around: Handling): Handling => ({
  tlp: stricterOf(own.tlp, around.tlp),
  markings: [...own.markings, ...around.markings],
  losses: own.losses,
})

interface Structure {
  readonly color: string | undefined
  readonly record: Json
  readonly isColourOnly: boolean
  readonly fault?: string
}

function structureOf(element: XmlElement): Structure {
  const colours = coloursIn(element)
  const color = colours.map(colourOf).reduce(stricterOf, undefined)
  const unknown = colours.find((colour) => !COLOURS.includes(named(colour)))
  const kind = KINDS.get(typeNameOf(element)) ?? (typeNameOf(element) || 'other')
  const record = compact({
    type: 'marking-structure',
    marking_structure_type: kind,
    color,
    statement: textOf(childOf(element, 'Statement')),
    terms_of_use: textOf(childOf(element, 'Terms_Of_Use')),
    xml: KINDS.has(typeNameOf(element)) ? undefined : xmlText(element),
  })
  const fault =
    unknown === undefined ? {} : { fault: `the TLP colour '${unknown.slice(0, 40)}' is unknown and treated as RED` }
  return { color, record: record ?? {}, isColourOnly: kind === 'tlp', ...fault }
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['SimpleMarkingStructureType', 'simple'],
  ['TLPMarkingStructureType', 'tlp'],
  ['TermsOfUseMarkingStructureType', 'terms-of-use'],
])

/** Other marking structures may contain a TLP colour at any depth. */
function coloursIn(element: XmlElement): string[] {
  const own = attributeOf(element, 'color')
  return [...(own === '' ? [] : [own]), ...childrenOf(element).flatMap(coloursIn)]
}

const named = (colour: string): string =>
  colour
    .trim()
    .toUpperCase()
    .replace(/^TLP[:-]?\s*/, '')
    .replace(/[+ -]+/, '_')
const colourOf = (colour: string): string => (COLOURS.includes(named(colour)) ? named(colour) : 'RED')

function stricterOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return COLOURS.indexOf(one) >= COLOURS.indexOf(other) ? one : other
}

/** The XPath is not evaluated: a path without a condition selects everything around it. */
const isOfEverything = (path: string): boolean =>
  path === '' || (path.includes('node()') && !/[[@](?!\*)|stix:|indicator:|ttp:/i.test(path))
