import type { Document } from '../../document.ts'
import type { FoundAttachment, FoundObservable } from '../../finding.ts'
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { detached, stixIdOf } from '../stix1-ids.ts'
import { type Observed, observe } from './observe.ts'
import { COMPONENTS, readPackages } from './packages.ts'

/** An observable that others reference by id, or that is a direct part of a package. */
export interface Indexed {
  readonly observables: readonly FoundObservable[]
  readonly attachments: readonly FoundAttachment[]
  readonly references: readonly string[]
  readonly faults: readonly string[]
  /** Its XML, if that contains more than the values. */
  readonly xml: string | undefined
  /** The package that contains it directly, rather than in a component. */
  readonly home: number | undefined
  /** Whether an entity uses it. */
  isClaimed: boolean
}

/** What must be known about a document before its components can be read, because references may point forward. */
export interface Survey {
  /** The headers of packages by package index. A header applies to everything in its package, before and after it. */
  readonly headers: ReadonlyMap<number, XmlElement>
  readonly byId: ReadonlyMap<string, Indexed>
  /** The direct observables of packages, in document order. */
  readonly loose: readonly Indexed[]
  /** Observables that name their entity in a keyword, because its component cannot hold observables. */
  readonly byOwner: ReadonlyMap<string, readonly Indexed[]>
  readonly phases: ReadonlyMap<string, { readonly kill_chain_name: string; readonly phase_name: string }>
  readonly chains: ReadonlyMap<string, string>
  /** The timestamp of the newest version of each component. */
  readonly newest: ReadonlyMap<string, string>
  /** The ids of all components in the document. */
  readonly components: ReadonlySet<string>
}

/** Reads a document once to collect what its components reference. */
export async function surveyOf(document: Document): Promise<Survey> {
  const survey: Noted = {
    headers: new Map(),
    byId: new Map(),
    loose: [],
    byOwner: new Map(),
    phases: new Map(LOCKHEED_PHASES),
    chains: new Map([[LOCKHEED, LOCKHEED_NAME]]),
    newest: new Map(),
    components: new Set(),
  }
  for await (const part of readPackages(document)) {
    if (part.kind === 'header') survey.headers.set(part.package.index, part.element)
    if (part.kind === 'observable') noteLoose(part.element, part.package.index, survey)
    if (part.kind === 'component' || part.kind === 'kill-chains' || part.kind === 'other') note(part.element, survey)
  }
  return survey
}

interface Noted {
  readonly headers: Map<number, XmlElement>
  readonly byId: Map<string, Indexed>
  readonly loose: Indexed[]
  readonly byOwner: Map<string, Indexed[]>
  readonly phases: Map<string, { kill_chain_name: string; phase_name: string }>
  readonly chains: Map<string, string>
  readonly newest: Map<string, string>
  readonly components: Set<string>
}

const LOCKHEED_NAME = 'LM Cyber Kill Chain'
const STIX = '{http://stix.mitre.org}TTP-'
const LOCKHEED = `${STIX}af3e707f-2fb9-49e5-8c37-14026ca0a5ff`

/** The one kill chain that documents reference without defining it. Its ids are well known. */
const LOCKHEED_PHASES = (
  [
    ['af1016d6-a744-4ed7-ac91-00fe2272185a', 'Reconnaissance'],
    ['445b4827-3cca-42bd-8421-f2e947133c16', 'Weaponization'],
    ['79a0e041-9d5f-49bb-ada4-8322622b162d', 'Delivery'],
    ['f706e4e7-53d8-44ef-967f-81535c9db7d0', 'Exploitation'],
    ['e1e4e3f7-be3b-4b39-b80a-a593cfd99a4f', 'Installation'],
    ['d6dc32b9-2538-4951-8733-3cb9ef1daae2', 'Command and Control'],
    ['786ca8f9-2d9a-4213-b38e-399af4a2e5d6', 'Actions on Objectives'],
  ] as const
).map(([id, phase_name]) => [`${STIX}${id}`, { kill_chain_name: LOCKHEED_NAME, phase_name }] as const)

function noteLoose(element: XmlElement, home: number, survey: Noted): void {
  const seen = observe(element)
  const { keywords, isWhole } = seen
  const indexed = indexedOf(seen, isWhole ? undefined : xmlText(element), home)
  survey.loose.push(indexed)
  noteIds(element, indexed, survey)
  for (const child of childrenOf(element)) note(child, survey)
  for (const keyword of keywords) {
    const owned = survey.byOwner.get(keyword)
    if (owned) owned.push(indexed)
    else survey.byOwner.set(keyword, [indexed])
  }
}

const NONE: readonly never[] = []

/** The part of an observable that is held until the end. It must not retain any substring of the document. */
const indexedOf = (seen: Observed, xml: string | undefined, home: number | undefined): Indexed => ({
  observables: seen.observables.map((one) => ({ ...one, value: detached(one.value) })),
  attachments: seen.attachments.length > 0 ? seen.attachments : NONE,
  references: seen.references.length > 0 ? seen.references : NONE,
  faults: seen.faults.length > 0 ? seen.faults : NONE,
  xml,
  home,
  isClaimed: home === undefined,
})

/** An object id is an alias of its observable's id, because references use either. */
function noteIds(element: XmlElement, indexed: Indexed, survey: Noted): void {
  for (const one of [element, childOf(element, 'Object')]) {
    const id = one && stixIdOf(one, 'id')
    if (id !== undefined) survey.byId.set(id, indexed)
  }
}

function note(element: XmlElement, survey: Noted): void {
  const id = stixIdOf(element, 'id')
  if (id !== undefined && OBSERVED.has(element.name) && !survey.byId.has(id)) {
    noteIds(element, indexedOf(observe(element), undefined, undefined), survey)
  }
  if (id !== undefined && COMPONENTS.has(element.name)) survey.components.add(detached(id))
  if (id !== undefined && COMPONENTS.has(element.name)) noteVersion(id, attributeOf(element, 'timestamp'), survey)
  if (element.name === 'Kill_Chain') noteChain(element, id, survey)
  for (const item of element.content) if (typeof item !== 'string') note(item, survey)
}

const OBSERVED = new Set(['Associated_Object', 'Object', 'Observable', 'Related_Object'])

function noteVersion(id: string, timestamp: string, survey: Noted): void {
  const known = survey.newest.get(id)
  if (timestamp !== '' && (known === undefined || Date.parse(timestamp) > Date.parse(known)))
    survey.newest.set(id, detached(timestamp))
}

function noteChain(element: XmlElement, id: string | undefined, survey: Noted): void {
  const kill_chain_name = attributeOf(element, 'name') || id || 'unnamed'
  if (id !== undefined) survey.chains.set(id, kill_chain_name)
  for (const phase of childrenOf(element, 'Kill_Chain_Phase')) {
    const phaseId = stixIdOf(phase, 'phase_id')
    const phase_name = attributeOf(phase, 'name')
    if (phaseId !== undefined && phase_name !== '') survey.phases.set(phaseId, { kill_chain_name, phase_name })
  }
}
