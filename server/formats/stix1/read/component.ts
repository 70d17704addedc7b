import { createHash } from 'node:crypto'
import { typeOfStixId } from '../../../domain/stix-ids.ts'
import { timeOf } from '../../xml/times.ts'
import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { madeId, stixIdOf } from '../stix1-ids.ts'
import { readCampaign } from './campaign.ts'
import { readCourseOfAction } from './course-of-action.ts'
import { type EntityDraft, headerOf, type Reading, type Setting, set, startEntity } from './draft.ts'
import { readExploitTarget } from './exploit-target.ts'
import { finish } from './finish.ts'
import { readIncident } from './incident.ts'
import { readIndicator } from './indicator.ts'
import { linkList, type ReadInner, relate } from './links.ts'
import { COMPONENTS } from './packages.ts'
import { descriptionOf, informationSourceOf } from './records.ts'
import { readReport } from './report.ts'
import { confidenceOf } from './statements.ts'
import { takeText } from './taken.ts'
import { readThreatActor } from './threat-actor.ts'
import { readTtp } from './ttp.ts'

/** Reads a component and all components nested in it. Returns its id, or the id that it references. */
export function readComponent(element: XmlElement, at: string, reading: Reading, setting: Setting): string | undefined {
  const reference = stixIdOf(element, 'idref')
  if (reference !== undefined) return reference
  const type = COMPONENTS.get(element.name)
  const own = stixIdOf(element, 'id')
  if (type === undefined || (own === undefined && isBlank(element))) return undefined
  const id = own ?? madeId(setting.namespace, type, xmlText(element))
  if (isOutdated(id, element, reading)) {
    reading.findings.push({
      kind: 'lost',
      at,
      id,
      losses: ['the document contains a newer version'],
      isOutdated: true,
    })
    return id
  }
  const digest = createHash('sha256').update(xmlText(element)).digest('base64')
  const known = reading.known.get(id)
  if (known !== undefined) {
    const losses = ['another component in the document has the same id; the first one is used']
    if (known !== digest) reading.findings.push({ kind: 'lost', at, id, losses })
    return id
  }
  reading.known.set(id, digest)
  const draft = startEntity(element, at, id, typeFor(type, id), reading, setting)
  readCommon(draft)
  const readInner: ReadInner = (inner, place) => readComponent(inner, place, reading, setting)
  READERS[type]?.(draft, readInner)
  readPackageReferences(draft)
  finish(draft)
  return id
}

const READERS: Readonly<Record<string, (draft: EntityDraft, readInner: ReadInner) => void>> = {
  campaign: readCampaign,
  'course-of-action': readCourseOfAction,
  'exploit-target': readExploitTarget,
  incident: readIncident,
  indicator: readIndicator,
  report: readReport,
  'threat-actor': readThreatActor,
  ttp: readTtp,
}

/** Types that STIX 1.2 lacks are written as other components. The id preserves the original type. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  ttp: ['attack-pattern', 'infrastructure', 'malware', 'tool'],
  'threat-actor': ['intrusion-set'],
  report: ['identity', 'location', 'malware-analysis', 'note', 'vendor-sighting'],
}

function typeFor(type: string, id: string): string {
  const named = typeOfStixId(id)
  return named !== undefined && WRITTEN_AS[type]?.includes(named) ? named : type
}

function readCommon(draft: EntityDraft): void {
  const { element, taken } = draft
  const header = headerOf(element)
  set(draft, 'timestamp', timeOf(attributeOf(element, 'timestamp')))
  if (header) {
    set(draft, 'title', takeText(header, 'Title', taken))
    const format = attributeOf(childOf(header, 'Description'), 'structuring_format')
    set(draft, 'description', descriptionOf(header, 'Description', taken))
    set(draft, 'description_structuring_format', format)
    set(draft, 'short_description', descriptionOf(header, 'Short_Description', taken))
  }
  const source = childOf(header, 'Information_Source') ?? childOf(header, 'Producer')
  set(draft, 'information_source', informationSourceOf(source, taken) ?? draft.setting.information_source)
  set(draft, 'confidence', confidenceOf(childOf(element, 'Confidence'), taken))
}

function readPackageReferences(draft: EntityDraft): void {
  const none: ReadInner = () => undefined
  linkList(draft, 'Related_Packages', 'Package_Reference', 'related-packages', none)
  for (const list of childrenOf(draft.element, 'Related_Packages'))
    for (const related of childrenOf(list, 'Related_Package')) {
      const inner = childOf(related, 'Package')
      const target = inner && stixIdOf(inner, 'idref')
      if (!inner || target === undefined) continue
      draft.taken.add(inner)
      relate(draft, { key: 'related-packages' }, target, `${draft.at}/Related_Packages`)
    }
}

function isOutdated(id: string, element: XmlElement, reading: Reading): boolean {
  const newest = reading.survey.newest.get(id)
  return newest !== undefined && Date.parse(attributeOf(element, 'timestamp')) < Date.parse(newest)
}

const isBlank = (element: XmlElement): boolean =>
  textOf(element) === '' && childrenOf(element).length === 0 && attributeOf(element, 'timestamp') === ''
