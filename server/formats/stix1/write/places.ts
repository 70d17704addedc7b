import { type XmlNode, xml } from '../../xml/write-xml.ts'
import { KEY_VOCABULARY } from '../own-vocabularies.ts'
import type { KindName } from './kinds.ts'
import { KINDS } from './kinds.ts'
import type { Link } from './link-index.ts'
import type { Naming } from './naming.ts'
import { confidenceNode } from './statements.ts'

/** Where relationships of a component go. */
interface Place {
  readonly target: KindName
  readonly key: string
  /** The list in the component; absent where the items stand in the component itself. */
  readonly list?: string
  readonly item: string
  /** Whether only relationships of just this key may go there. */
  readonly isExact?: boolean
  /** How the other component is referred to; by default inside the item, with the key beside it. */
  readonly form?: 'direct' | 'package' | 'composite'
}

const packages: Place = {
  target: 'Report',
  key: 'related-packages',
  list: 'Related_Packages',
  item: 'Package_Reference',
  form: 'package',
}

const contents = (target: KindName, key: string, list: string): Place => ({
  target,
  key,
  list,
  item: target,
  form: 'direct',
})

const PLACES: Readonly<Record<KindName, readonly Place[]>> = {
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

/** The relationships of a component as elements, by the name of the list or item that they stand in. */
export type Placed = ReadonlyMap<string, readonly XmlNode[]>

/** Puts relationships in their places; `lose` is told of those that have none, and of words that have none. */
export function placeLinks(
  kind: KindName,
  type: string,
  links: readonly Link[],
  naming: Naming,
  lose: (loss: string) => void,
): Placed {
  const items = new Map<Place, XmlNode[]>()
  for (const link of links) {
    const places = PLACES[kind].filter(({ target }) => target === link.kind)
    const place = places.find(({ key }) => isKey(link.key, key)) ?? places.find(({ isExact }) => !isExact)
    if (!place) {
      lose(`a relationship '${link.key}' to a ${link.targetType} has no place in a ${kind} of STIX 1.2`)
      continue
    }
    const node = itemOf(place, kind, link, naming)
    const isSighting = type === 'vendor-sighting' && link.key === 'sighting-of'
    const hasNoWords = place.form === 'direct' || place.form === 'composite' || place.isExact === true
    if (place.form === 'direct' && !isKey(link.key, place.key) && !isSighting)
      lose(`the key '${link.key}' of a relationship is written as '${place.key}'`)
    if (hasNoWords && place.form !== 'composite' && link.description)
      lose(`the description of a relationship '${link.key}' has no place`)
    items.set(place, [...(items.get(place) ?? []), node])
  }
  return new Map([...items].map(([place, nodes]) => listOf(place, kind, nodes, links)))
}

function listOf(place: Place, kind: KindName, nodes: readonly XmlNode[], links: readonly Link[]): [string, XmlNode[]] {
  const { prefix } = KINDS[kind]
  if (place.form === 'composite') {
    const operator = links.some(({ key, description }) => key === place.key && description === 'AND') ? 'AND' : 'OR'
    return [place.item, [xml(`${prefix}:${place.item}`, { operator }, nodes)]]
  }
  if (place.list === undefined) return [place.item, [...nodes]]
  return [place.list, [xml(`${prefix}:${place.list}`, {}, nodes)]]
}

function itemOf(place: Place, kind: KindName, link: Link, naming: Naming): XmlNode {
  const { prefix } = KINDS[kind]
  const idref = naming.qualify(link.target, link.targetType)
  const reference = xml(`stixCommon:${link.kind}`, { idref })
  if (place.form === 'composite') return xml('indicator:Indicator', { idref })
  if (place.form === 'direct')
    return link.kind === 'Exploit_Target' ? reference : xml(`${prefix}:${place.item}`, { idref })
  if (place.isExact) return xml(`${prefix}:${place.item}`, {}, reference)
  const about = [confidenceNode('stixCommon:Confidence', link.confidence, naming), relationshipNode(place, link)]
  if (place.form === 'package') return xml('stixCommon:Package_Reference', { idref }, about)
  return xml(`${prefix}:${place.item}`, {}, about, reference)
}

/** A key that the place says already is not written; another one is, marked as a key. */
function relationshipNode(place: Place, { key, description }: Link): XmlNode | undefined {
  const name = 'stixCommon:Relationship'
  if (isKey(key, place.key)) return description === undefined ? undefined : xml(name, {}, description)
  return xml(name, { vocab_name: KEY_VOCABULARY }, description === undefined ? key : `${key}: ${description}`)
}

const isKey = (key: string, standard: string): boolean =>
  key === standard ||
  `${key}s` === standard ||
  (standard === 'attributed-threat-actors' && key === 'attribution') ||
  (standard === 'courses-of-action' && key === 'course-of-action')
