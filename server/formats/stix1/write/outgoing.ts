import { tlpOf } from '../../../domain/tlp.ts'
import type { ShippedEntity, ShippedObservable } from '../../shipment.ts'
import { xmlTimeOf } from '../../xml/times.ts'
import { type XmlContent, type XmlNode, xml, xmlUnlessEmpty } from '../../xml/write-xml.ts'
import { type Fields, fieldsOf, recordsIn, textIn } from './fields.ts'
import { isOwnKind, KINDS, type KindName, kindOf } from './kinds.ts'
import type { Link } from './link-index.ts'
import { isWritable, type Naming, namingOf, type Producer } from './naming.ts'
import { type Placed, placeLinks } from './places.ts'
import { informationSourceNode } from './sources.ts'
import { describe } from './terms.ts'

/** An entity while its component is written. */
export interface Outgoing {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly kind: KindName
  readonly prefix: string
  readonly fields: Fields
  readonly naming: Naming
  readonly observables: readonly ShippedObservable[]
  readonly placed: Placed
  readonly tlp: string | undefined
  lose(loss: string): void
}

/** Begins to write an entity. */
export function outgoingOf(
  entity: ShippedEntity,
  links: readonly Link[],
  producer: Producer,
  lose: (id: string, loss: string) => void,
): Outgoing {
  const { id, type, title } = entity.data
  const kind = kindOf(type)
  const naming = namingOf(producer)
  const loseHere = (loss: string): void => lose(id, loss)
  const colour = tlpOf(entity.meta.tlp_color, 'RED')
  return {
    id,
    type,
    title,
    kind,
    prefix: KINDS[kind].prefix,
    fields: fieldsOf(entity.data),
    naming,
    observables: entity.observables,
    placed: placeLinks(kind, type, links, naming, loseHere),
    tlp: colour === 'NONE' ? undefined : colour,
    lose: loseHere,
  }
}

/** The component of an entity: its id and time around what it says. What nothing was written of is lost. */
export function componentNode(out: Outgoing, entity: ShippedEntity, content: readonly XmlContent[]): XmlNode {
  const kind = KINDS[out.kind]
  const timestamp = [out.fields.get('timestamp'), out.fields.get('modified')].find((time) => typeof time === 'string')
  const node = xml(
    kind.element,
    {
      id: out.naming.qualify(out.id, out.type),
      timestamp: typeof timestamp === 'string' ? xmlTimeOf(timestamp) : undefined,
      'xsi:type': kind.type,
      version: kind.version,
      negate: out.kind === 'Indicator' && out.fields.get('negate') === true ? 'true' : undefined,
    },
    ...content,
  )
  out.fields.get('created')
  tellLosses(out, entity)
  return { ...node, attributes: { ...out.naming.declarations, ...node.attributes } }
}

/** The title and descriptions, in their order. */
export function textNodes(out: Outgoing, prefix = out.prefix): { title: XmlNode; descriptions: XmlContent } {
  const format = textIn(out.fields.get('description_structuring_format'))
  return {
    title: xml(`${prefix}:Title`, {}, out.title),
    descriptions: [
      describe(`${prefix}:Description`, out.fields.get('description') ?? out.fields.get('content'), format),
      describe(`${prefix}:Short_Description`, out.fields.get('short_description') ?? out.fields.get('abstract')),
    ],
  }
}

/** Where the entity comes from. */
export const sourceNodeOf = (out: Outgoing, name = `${out.prefix}:Information_Source`): XmlNode | undefined =>
  informationSourceNode(name, out.fields.get('information_source'), out.naming)

/** How the entity may be handled: its colour, and the statements and terms that came with it. */
export function handlingNode(out: Outgoing, path = '../../../descendant-or-self::node()'): XmlNode | undefined {
  const structure = (type: string, attributes: Readonly<Record<string, string>>, content?: XmlNode) =>
    xml('marking:Marking_Structure', { 'xsi:type': type, ...attributes }, content)
  const others = recordsIn(out.fields.get('handling')).flatMap(({ marking_structures }) =>
    recordsIn(marking_structures).flatMap(({ statement, terms_of_use, marking_structure_type }) => {
      const [said, terms] = [textIn(statement), textIn(terms_of_use)]
      if (said !== undefined)
        return [structure('simpleMarking:SimpleMarkingStructureType', {}, xml('simpleMarking:Statement', {}, said))]
      if (terms !== undefined)
        return [structure('TOUMarking:TermsOfUseMarkingStructureType', {}, xml('TOUMarking:Terms_Of_Use', {}, terms))]
      if (marking_structure_type !== 'tlp')
        out.lose(`a marking of the type '${String(marking_structure_type)}' is not written, but for its TLP colour`)
      return []
    }),
  )
  const colour = out.tlp === undefined ? undefined : structure('tlpMarking:TLPMarkingStructureType', { color: out.tlp })
  if (colour === undefined && others.length === 0) return undefined
  const marking = xml('marking:Marking', {}, xml('marking:Controlled_Structure', {}, path), colour, others)
  return xml(`${out.prefix}:Handling`, {}, marking)
}

/** The phases of kill chains, by their names and by their ids where those can be written. */
export function killChainNode(out: Outgoing): XmlNode | undefined {
  const phases = recordsIn(out.fields.get('kill_chain_phases')).map((phase) =>
    xml('stixCommon:Kill_Chain_Phase', {
      kill_chain_id: out.naming.optional(phase.kill_chain_id),
      kill_chain_name: textIn(phase.kill_chain_name),
      phase_id: out.naming.optional(phase.phase_id),
      name: textIn(phase.phase_name) ?? textIn(phase.name),
    }),
  )
  return xmlUnlessEmpty(`${out.prefix}:Kill_Chain_Phases`, phases)
}

function tellLosses(out: Outgoing, { data, meta, taxonomy_paths, attachments }: ShippedEntity): void {
  if (!isOwnKind(out.type)) out.lose(`STIX 1.2 has no ${out.type}: it is written as a ${out.kind}`)
  if (!isWritable(out.id))
    out.lose(`the id cannot be written in XML: it is ${out.naming.qualify(out.id, out.type)} in the document`)
  const unread = out.fields.unread()
  if (unread.length > 0) out.lose(`${unread.join(', ')}: no place in a ${out.kind} of STIX 1.2`)
  if (hasSpecification(data, 0)) out.lose('what CIQ specifications say beside names and roles is not written')
  if (meta.tags && meta.tags.length > 0) out.lose('tags have no place in STIX 1.2')
  if (taxonomy_paths.length > 0) out.lose('taxonomies have no place in STIX 1.2')
  if (attachments.length > 0) out.lose(`${attachments.length} attachments are not written`)
}

const DEEPEST = 12

function hasSpecification(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  return 'specification_xml' in value || Object.values(value).some((inner) => hasSpecification(inner, depth + 1))
}
