import type { Document } from '../../document.ts'
import type { Finding, Reader } from '../../finding.ts'
import { timeOf } from '../../xml/times.ts'
import { childOf, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { madeId, madeUuid, namespaceOfId, stixIdOf } from '../stix1-ids.ts'
import { REFERENCE_BUDGET } from './claim.ts'
import { readComponent } from './component.ts'
import { type Reading, type Setting, set, startEntity, takeReferences } from './draft.ts'
import { finish } from './finish.ts'
import { handlingOf, NO_HANDLING } from './handling.ts'
import { append } from './json.ts'
import { type Package, type Part, readPackages } from './packages.ts'
import { descriptionOf, informationSourceOf, termsOf } from './records.ts'
import { CONTENTS } from './report.ts'
import { type Survey, surveyOf } from './survey.ts'
import { takeText } from './taken.ts'

/**
 * Reads STIX 1.0 to 1.2 in XML, and lists of CybOX observables. The document is read twice, because references may point forward. Names are
 * compared without their namespaces and order does not matter, because many documents are not valid and still meaningful.
 */
export const readStix1: Reader = async function* (document) {
  const reading: Reading = {
    survey: await surveyOf(document),
    relationships: new Map(),
    findings: [],
    known: new Map(),
    budget: REFERENCE_BUDGET,
  }
  const opened: Opened[] = []
  for await (const part of readPackages(document)) {
    readPart(part, opened, reading)
    yield* reading.findings.splice(0)
  }
  for (const one of opened) finishPackage(one, document, reading)
  yield* reading.findings.splice(0)
  for (const { at, relationship } of reading.relationships.values())
    yield { kind: 'relationship', at, relationship } satisfies Finding
}

/** A package, the contents of its header, and whether that makes it a report. */
interface Opened {
  readonly package: Package
  readonly element: XmlElement
  readonly id: string
  readonly setting: Setting
  readonly isReport: boolean
}

function readPart(part: Part, opened: Opened[], reading: Reading): void {
  const current = opened[part.package.index]
  if (part.kind === 'package') opened.push(openPackage(part, opened, reading))
  else if (part.kind === 'component' && current) readContent(part, current, reading)
  else if (part.kind === 'header' && current) {
    const { losses } = current.setting.handling
    if (losses.length > 0) reading.findings.push({ kind: 'lost', at: part.at, losses })
  } else if (part.kind === 'kill-chains')
    lose(part, 'kill chains are kept only as the phases that components reference', reading)
  else if (part.kind === 'other' && part.element.name !== 'Relationship')
    lose(part, `'${part.element.name}' is not supported by the platform`, reading)
}

const lose = ({ at }: Part, loss: string, reading: Reading): void => {
  reading.findings.push({ kind: 'lost', at, losses: [loss] })
}

/** The settings of a package apply to nested packages unless they state otherwise. */
function openPackage({ package: own, element }: Part, opened: readonly Opened[], { survey }: Reading): Opened {
  const outer = own.outer && opened[own.outer.index]?.setting
  const header = survey.headers.get(own.index)
  const namespace = namespaceOfId(own.id) || (outer?.namespace ?? '')
  const handling = handlingOf(childOf(header, 'Handling'), true, new Set())
  const isMarked = handling.tlp !== undefined || handling.markings.length > 0
  const setting: Setting = {
    namespace,
    handling: isMarked ? handling : { ...(outer?.handling ?? NO_HANDLING), losses: handling.losses },
    information_source:
      informationSourceOf(childOf(header, 'Information_Source'), new Set()) ?? outer?.information_source,
  }
  const isReport = ['Title', 'Package_Intent', 'Description', 'Short_Description'].some((name) => childOf(header, name))
  return {
    package: own,
    element: header ?? element,
    id: own.id ?? unnamedId(own, header, namespace, survey),
    setting,
    isReport,
  }
}

/** A package without an id gets one derived from its contents. */
function unnamedId(own: Package, header: XmlElement | undefined, namespace: string, { loose }: Survey): string {
  const values = loose
    .filter(({ home }) => home === own.index)
    .flatMap(({ observables }) => observables.map(({ value }) => value))
  return madeId(namespace, 'report', own.timestamp, header ? xmlText(header) : '', ...values.slice(0, 100))
}

function readContent(part: Part, current: Opened, reading: Reading): void {
  const id = readComponent(part.element, part.at, reading, current.setting)
  if (id === undefined) {
    lose(part, 'it is empty', reading)
    return
  }
  const key =
    part.element.name === 'Report' ? 'related-reports' : CONTENTS.find(([, name]) => name === part.element.name)?.[2]
  if (!current.isReport || key === undefined) {
    const isElsewhere = stixIdOf(part.element, 'idref') !== undefined && !reading.survey.components.has(id)
    if (isElsewhere) lose(part, `it refers to '${id.slice(0, 200)}', which is not in the document`, reading)
    return
  }
  const source = current.id
  const relationship = { id: madeUuid(source, key, id), data: { source, target: id, key } }
  reading.relationships.set(relationship.id, { at: part.at, relationship })
}

/** A package with contents of its own becomes a report. So does one with observables that belong to no other entity. */
function finishPackage(
  { package: own, id, setting, isReport, element }: Opened,
  document: Document,
  reading: Reading,
): void {
  const loose = reading.survey.loose.filter(({ home, isClaimed }) => home === own.index && !isClaimed)
  if ((!isReport && loose.length === 0) || reading.known.has(id)) return
  reading.known.set(id, '')
  // The handling comes from the setting, which applies to all components as well.
  const header = {
    ...element,
    content: element.content.filter((item) => typeof item === 'string' || item.name !== 'Handling'),
  }
  const draft = startEntity(header, own.at || 'STIX_Package', id, 'report', reading, setting)
  set(draft, 'timestamp', timeOf(own.timestamp))
  set(draft, 'title', takeText(header, 'Title', draft.taken))
  set(draft, 'description', descriptionOf(header, 'Description', draft.taken))
  set(draft, 'short_description', descriptionOf(header, 'Short_Description', draft.taken))
  set(draft, 'intents', termsOf(header, 'Package_Intent', draft.taken))
  informationSourceOf(childOf(header, 'Information_Source'), draft.taken)
  set(draft, 'information_source', setting.information_source)
  for (const indexed of loose) {
    indexed.isClaimed = true
    append(draft.observables, indexed.observables)
    append(draft.attachments, indexed.attachments)
    append(draft.losses, indexed.faults)
    if (indexed.xml !== undefined) draft.kept.push(indexed.xml)
    takeReferences(draft, indexed.references)
  }
  if (draft.data.title === undefined && draft.data.description === undefined)
    set(draft, 'title', document.name || `Package ${own.id ?? ''}`.trim())
  finish(draft)
}
