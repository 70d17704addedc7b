import type { Shipment, ShippedEntity, ShippedObservable, Writer } from '../../shipment.ts'
import { xmlTimeOf } from '../../xml/times.ts'
import { escapeAttribute, renderXml, type XmlNode, xml } from '../../xml/write-xml.ts'
import { NAMESPACES } from '../namespaces.ts'
import { contentOf } from './components.ts'
import { recordsIn } from './fields.ts'
import { KINDS, type KindName, kindOf } from './kinds.ts'
import { indexLinks, type LinkIndex } from './link-index.ts'
import { namingOf, type Producer, producerOf } from './naming.ts'
import { CYBOX_VERSION, observableNode } from './observables.ts'
import { componentNode, outgoingOf } from './outgoing.ts'
import { timeNode } from './sources.ts'

type Lose = (id: string, loss: string) => void

/**
 * Writes a STIX 1.2 package, one component at a time. The schema requires components sorted by kind, so the entities are read once per
 * kind. Relationships are written in the component of their source.
 */
export const writeStix1: Writer = async function* (shipment, lose) {
  const producer = producerOf(shipment.producer.alias, shipment.producer.namespace)
  const links = await indexLinks(shipment, lose)
  const { kinds, hasOwned } = await kindsIn(shipment)
  yield head(shipment, producer)
  if (hasOwned) yield* ownedObservables(shipment, producer, lose)
  for (const kind of KIND_NAMES)
    if (kinds.has(kind)) yield* section(kind, kinds.get(kind), shipment, links, producer, lose)
  yield '</stix:STIX_Package>\n'
}

const KIND_NAMES = Object.keys(KINDS) as KindName[]

/** Components that cannot hold observables. Theirs are written in the package and name the component. */
const WITHOUT_OBSERVABLES: ReadonlySet<KindName> = new Set(['Campaign', 'Exploit_Target', 'Threat_Actor'])

/** Returns the kinds of components in a shipment, each with the entity types that become it. */
async function kindsIn(shipment: Shipment): Promise<{ kinds: Map<KindName, Set<string>>; hasOwned: boolean }> {
  const kinds = new Map<KindName, Set<string>>()
  let hasOwned = false
  for await (const { data, observables } of shipment.entities()) {
    const kind = kindOf(data.type)
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(data.type))
    hasOwned ||= WITHOUT_OBSERVABLES.has(kind) && observables.some((one) => !isInFields(one, data))
  }
  return { kinds, hasOwned }
}

function head(shipment: Shipment, producer: Producer): string {
  const attributes = {
    ...Object.fromEntries(Object.entries(NAMESPACES).map(([prefix, uri]) => [`xmlns:${prefix}`, uri])),
    [`xmlns:${producer.prefix}`]: producer.namespace,
    id: namingOf(producer).made('Package', shipment.baseUrl, shipment.at),
    version: '1.2',
    timestamp: xmlTimeOf(shipment.at),
  }
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escapeAttribute(value)}"`],
  )
  const source = xml(
    'stix:Information_Source',
    {},
    xml('stixCommon:Identity', {}, xml('stixCommon:Name', {}, shipment.producer.name)),
    xml('stixCommon:Time', {}, timeNode('cyboxCommon:Produced_Time', shipment.at)),
  )
  const header = renderXml(xml('stix:STIX_Header', {}, source))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<stix:STIX_Package${written.join('')}>\n${header}\n`
}

async function* ownedObservables(shipment: Shipment, producer: Producer, lose: Lose): AsyncGenerator<string> {
  const start = renderXml(xml('stix:Observables', CYBOX_VERSION, 'x'))
  yield start.slice(0, start.indexOf('x</'))
  const naming = namingOf(producer)
  for await (const { data, observables } of shipment.entities()) {
    if (!WITHOUT_OBSERVABLES.has(kindOf(data.type))) continue
    for (const observable of observables.filter((one) => !isInFields(one, data)))
      yield `\n${rendered(observableNode('cybox:Observable', observable, data.id, naming, [ownerOf(data.id, data.type, producer)]), data.id, lose)}`
  }
  yield '\n</stix:Observables>\n'
}

/** The fields of an exploit target, such as its vulnerabilities, already express these observables. */
function isInFields(
  { type, value, meta, link_type }: ShippedObservable,
  data: Readonly<Record<string, unknown>>,
): boolean {
  const hasValue = (list: unknown, field: string) => recordsIn(list).some((record) => record[field] === value)
  if (link_type !== null || (meta.maliciousness ?? 'unknown') !== 'unknown') return false
  if (type === 'cve') return hasValue(data.vulnerabilities, 'cve_id')
  if (type === 'cwe') return hasValue(data.weaknesses, 'cwe_id')
  return type === 'cce' && hasValue(data.configurations, 'cce_id')
}

/** How observables name their entity: by the id that its component will have when it is read again. */
function ownerOf(id: string, type: string, producer: Producer): string {
  const name = namingOf(producer).qualify(id, type)
  return name.startsWith(`${producer.prefix}:`)
    ? `{${producer.namespace}}${name.slice(producer.prefix.length + 1)}`
    : id
}

async function* section(
  kind: KindName,
  types: ReadonlySet<string> | undefined,
  shipment: Shipment,
  links: LinkIndex,
  producer: Producer,
  lose: Lose,
): AsyncGenerator<string> {
  yield `<stix:${KINDS[kind].section}>`
  for await (const entity of shipment.entities(types))
    if (kindOf(entity.data.type) === kind) yield `\n${componentOf(entity, links, producer, lose)}`
  yield `\n</stix:${KINDS[kind].section}>\n`
}

function componentOf(entity: ShippedEntity, links: LinkIndex, producer: Producer, lose: Lose): string {
  const out = outgoingOf(entity, links.of(entity.data.id), producer, lose)
  const content = contentOf(out)
  return rendered(componentNode(out, entity, content), entity.data.id, lose)
}

function rendered(node: XmlNode, id: string, lose: Lose): string {
  let isWhole = true
  const text = renderXml(node, () => {
    isWhole = false
  })
  if (!isWhole) lose(id, 'characters that XML cannot represent are omitted')
  return text
}
