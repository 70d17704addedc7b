import { type XmlNode, xml } from '../../xml/write-xml.ts'
import { KEY_VOCABULARY } from '../own-vocabularies.ts'
import type { KindName } from './kinds.ts'
import { KINDS } from './kinds.ts'
import type { Link } from './link-index.ts'
import type { Naming } from './naming.ts'
import { confidenceNode } from './statements.ts'

/** The element in which a component holds certain relationships. */
interface LinkElement {
  readonly target: KindName
  readonly key: string
  /** The list in the component; absent if the items are direct children of the component. */
  readonly list?: string
  readonly item: string
  /** Whether the element accepts only relationships with exactly this key. */
  readonly isExact?: boolean
  /** How the other component is referenced; by default inside the item, together with the key. */
  readonly form?: 'direct' | 'package' | 'composite'
}

const packages: LinkElement = {
  target: 'Report',
  key: 'related-packages',
  list: 'Related_Packages',
  item: 'Package_Reference',
  form: 'package',
}

const contents = (target: KindName, key: string, list: string): LinkElement => ({
  target,
  key,
  list,
  item: target,
  form: 'direct',
})

const LINK_ELEMENTS: Readonly<Record<KindName, readonly LinkElement[]>> = {
  Campaign: [
    { target: 'TTP', key: 'related-ttps', list: 'Related_TTPs', item: 'Related_TTP' },
    { target: 'Incident', key: 'related-incidents', list: 'Related_Incidents', item: 'Related_Incident' },
    { target: 'Indicator', key: 'related-indicators', list: 'Related_Indicators', item: 'Related_Indicator' },
    { target: 'Threat_Actor', key: 'attributed-threat-actors', list: 'Attribution', item: 'Attributed_Threat_Actor' },
    { target: 'Campaign', key: 'associated-campaigns', list: 'Associated_Campaigns', item: 'Associated_Campaign' },
    packages,
  ],
  Course_Of_Action: [
    { target: 'Course_Of_Action', key: 'related-coas', list: 'Related_COAs', item: 'Related_COA' },
    packages,
  ],
  Exploit_Target: [
    { target: 'Course_Of_Action', key: 'potential-coas', list: 'Potential_COAs', item: 'Potential_COA' },
    {
      target: 'Exploit_Target',
      key: 'related-exploit-targets',
      list: 'Related_Exploit_Targets',
      item: 'Related_Exploit_Target',
    },
    packages,
  ],
  Incident: [
    { target: 'Indicator', key: 'related-indicators', list: 'Related_Indicators', item: 'Related_Indicator' },
    { target: 'TTP', key: 'leveraged-ttps', list: 'Leveraged_TTPs', item: 'Leveraged_TTP' },
    { target: 'Threat_Actor', key: 'attributed-threat-actors', list: 'Attributed_Threat_Actors', item: 'Threat_Actor' },
    { target: 'Incident', key: 'related-incidents', list: 'Related_Incidents', item: 'Related_Incident' },
    { target: 'Course_Of_Action', key: 'coa-requested', item: 'COA_Requested', isExact: true },
    { target: 'Course_Of_Action', key: 'coa-taken', item: 'COA_Taken', isExact: true },
    packages,
  ],
  Indicator: [
    {
      target: 'Indicator',
      key: 'composite-indicator-expression',
      item: 'Composite_Indicator_Expression',
      isExact: true,
      form: 'composite',
    },
    { target: 'TTP', key: 'indicated-ttps', item: 'Indicated_TTP' },
    { target: 'Course_Of_Action', key: 'suggested-coas', list: 'Suggested_COAs', item: 'Suggested_COA' },
    { target: 'Indicator', key: 'related-indicators', list: 'Related_Indicators', item: 'Related_Indicator' },
    { target: 'Campaign', key: 'related-campaigns', list: 'Related_Campaigns', item: 'Related_Campaign' },
    packages,
  ],
  Report: [
    contents('Indicator', 'indicators', 'Indicators'),
    contents('TTP', 'ttps', 'TTPs'),
    contents('Exploit_Target', 'exploit-targets', 'Exploit_Targets'),
    contents('Incident', 'incidents', 'Incidents'),
    contents('Course_Of_Action', 'courses-of-action', 'Courses_Of_Action'),
    contents('Campaign', 'campaigns', 'Campaigns'),
    contents('Threat_Actor', 'threat-actors', 'Threat_Actors'),
    { target: 'Report', key: 'related-reports', list: 'Related_Reports', item: 'Related_Report' },
  ],
  TTP: [
    { target: 'Exploit_Target', key: 'exploit-targets', list: 'Exploit_Targets', item: 'Exploit_Target' },
    { target: 'TTP', key: 'related-ttps', list: 'Related_TTPs', item: 'Related_TTP' },
    packages,
  ],
  Threat_Actor: [
    { target: 'TTP', key: 'observed-ttps', list: 'Observed_TTPs', item: 'Observed_TTP' },
    { target: 'Campaign', key: 'associated-campaigns', list: 'Associated_Campaigns', item: 'Associated_Campaign' },
    { target: 'Threat_Actor', key: 'associated-actors', list: 'Associated_Actors', item: 'Associated_Actor' },
    packages,
  ],
}

/** The relationships of a component as elements, by the name of their list or item. */
export type LinkNodes = ReadonlyMap<string, readonly XmlNode[]>

/** Writes relationships into the elements that hold them. Reports relationships, keys and descriptions that no element can hold. */
export function writeLinks(
  kind: KindName,
  type: string,
  links: readonly Link[],
  naming: Naming,
  lose: (loss: string) => void,
): LinkNodes {
  const items = new Map<LinkElement, XmlNode[]>()
  for (const link of links) {
    const elements = LINK_ELEMENTS[kind].filter(({ target }) => target === link.kind)
    const element = elements.find(({ key }) => isKey(link.key, key)) ?? elements.find(({ isExact }) => !isExact)
    if (!element) {
      lose(`a relationship '${link.key}' to a ${link.targetType} is not supported in a STIX 1.2 ${kind}`)
      continue
    }
    const node = itemOf(element, kind, link, naming)
    const isSighting = type === 'vendor-sighting' && link.key === 'sighting-of'
    const hasNoWords = element.form === 'direct' || element.form === 'composite' || element.isExact === true
    if (element.form === 'direct' && !isKey(link.key, element.key) && !isSighting)
      lose(`the key '${link.key}' of a relationship is exported as '${element.key}'`)
    if (hasNoWords && element.form !== 'composite' && link.description)
      lose(`the description of a relationship '${link.key}' is not exported`)
    items.set(element, [...(items.get(element) ?? []), node])
  }
  return new Map([...items].map(([element, nodes]) => listOf(element, kind, nodes, links)))
}

function listOf(
  element: LinkElement,
  kind: KindName,
  nodes: readonly XmlNode[],
  links: readonly Link[],
): [string, XmlNode[]] {
  const { prefix } = KINDS[kind]
  if (element.form === 'composite') {
    const operator = links.some(({ key, description }) => key === element.key && description === 'AND') ? 'AND' : 'OR'
    return [element.item, [xml(`${prefix}:${element.item}`, { operator }, nodes)]]
  }
  if (element.list === undefined) return [element.item, [...nodes]]
  return [element.list, [xml(`${prefix}:${element.list}`, {}, nodes)]]
}

function itemOf(element: LinkElement, kind: KindName, link: Link, naming: Naming): XmlNode {
  const { prefix } = KINDS[kind]
  const idref = naming.qualify(link.target, link.targetType)
  const reference = xml(`stixCommon:${link.kind}`, { idref })
  if (element.form === 'composite') return xml('indicator:Indicator', { idref })
  if (element.form === 'direct')
    return link.kind === 'Exploit_Target' ? reference : xml(`${prefix}:${element.item}`, { idref })
  if (element.isExact) return xml(`${prefix}:${element.item}`, {}, reference)
  const about = [confidenceNode('stixCommon:Confidence', link.confidence, naming), relationshipNode(element, link)]
  if (element.form === 'package') return xml('stixCommon:Package_Reference', { idref }, about)
  return xml(`${prefix}:${element.item}`, {}, about, reference)
}

/** The element's default key is not written. Any other key is written and marked as a key. */
function relationshipNode(element: LinkElement, { key, description }: Link): XmlNode | undefined {
  const name = 'stixCommon:Relationship'
  if (isKey(key, element.key)) return description === undefined ? undefined : xml(name, {}, description)
  return xml(name, { vocab_name: KEY_VOCABULARY }, description === undefined ? key : `${key}: ${description}`)
}

const isKey = (key: string, standard: string): boolean =>
  key === standard ||
  `${key}s` === standard ||
  (standard === 'attributed-threat-actors' && key === 'attribution') ||
  (standard === 'courses-of-action' && key === 'course-of-action')
