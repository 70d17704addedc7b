import { tlpOf } from '../../../domain/tlp.ts'
import type { ShippedEntity, ShippedObservable } from '../../shipment.ts'
import { xmlTimeOf } from '../../xml/times.ts'
import { type XmlContent, type XmlNode, xml, xmlUnlessEmpty } from '../../xml/write-xml.ts'
import { type Fields, fieldsOf, recordsIn, textIn } from './fields.ts'
import { isOwnKind, KINDS, type KindName, kindOf } from './kinds.ts'
import type { Link } from './link-index.ts'
import { isWritable, type Naming, namingOf, type Producer } from './naming.ts'
import { type LinkNodes, writeLinks } from './places.ts'
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
  readonly linkNodes: LinkNodes
  readonly tlp: string | undefined
  lose(loss: string): void
}

/** Starts writing an entity. */
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
    linkNodes: writeLinks(kind, type, links, naming, loseHere),
    tlp: colour === 'NONE' ? undefined : colour,
    lose: loseHere,
  }
}

/** Writes the component of an entity: its id and timestamp around its contents. Unwritten fields are reported as lost. */
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
  reportLosses(out, entity)
  return { ...node, attributes: { ...out.naming.declarations, ...node.attributes } }
}

/** Writes the title and descriptions, in schema order. */
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

/** Writes the information source of the entity. */
export const sourceNodeOf = (out: Outgoing, name = `${out.prefix}:Information_Source`): XmlNode | undefined =>
  informationSourceNode(name, out.fields.get('information_source'), out.naming)

/** Writes the handling of the entity: its colour, and its statements and terms of use. */
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
        out.lose(`a marking of the type '${String(marking_structure_type)}' is not exported, except for its TLP colour`)
      return []
    }),
  )
  const colour = out.tlp === undefined ? undefined : structure('tlpMarking:TLPMarkingStructureType', { color: out.tlp })
  if (colour === undefined && others.length === 0) return undefined
  const marking = xml('marking:Marking', {}, xml('marking:Controlled_Structure', {}, path), colour, others)
  return xml(`${out.prefix}:Handling`, {}, marking)
}

/** Writes kill chain phases with their names, and with their ids if those can be written. */
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

function reportLosses(out: Outgoing, { data, meta, taxonomy_paths, attachments }: ShippedEntity): void {
  if (!isOwnKind(out.type)) out.lose(`STIX 1.2 has no ${out.type}: it is exported as a ${out.kind}`)
  if (!isWritable(out.id))
    out.lose(`the id cannot be written in XML: it is ${out.naming.qualify(out.id, out.type)} in the document`)
  const unread = out.fields.unread()
  if (unread.length > 0) out.lose(`${unread.join(', ')}: not supported in a STIX 1.2 ${out.kind}`)
  if (hasSpecification(data, 0)) out.lose('CIQ specifications are exported only with names and roles')
  if (meta.tags && meta.tags.length > 0) out.lose('tags: not supported by STIX 1.2')
  if (taxonomy_paths.length > 0) out.lose('taxonomies: not supported by STIX 1.2')
  if (attachments.length > 0) out.lose(`${attachments.length} attachments are not exported`)
}

const DEPTH_LIMIT = 12

function hasSpecification(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEPTH_LIMIT) return false
  return 'specification_xml' in value || Object.values(value).some((inner) => hasSpecification(inner, depth + 1))
}
