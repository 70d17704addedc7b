import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { stixIdOf } from '../stix1-ids.ts'
import { wordsOf } from '../vocabularies.ts'
import { type EntityDraft, set, takeObservables } from './draft.ts'
import { identityOf } from './identity.ts'
import { compact, type Json } from './json.ts'
import { killChainPhasesOf } from './kill-chain.ts'
import { linkList, type ReadInner } from './links.ts'
import { descriptionOf, knownTermOf, termsOf, toolInformationOf } from './records.ts'
import { statementOf } from './statements.ts'
import { takeAttribute, takeText } from './taken.ts'

/** Reads a TTP. Entity types that the writer stores as TTPs are restored from their id. */
export function readTtp(draft: EntityDraft, readInner: ReadInner): void {
  const { element, taken } = draft
  const behavior = childOf(element, 'Behavior')
  const resources = childOf(element, 'Resources')
  const infrastructure = childOf(resources, 'Infrastructure')
  takeObservables(draft, childOf(infrastructure, 'Observable_Characterization'))
  if (draft.type === 'ttp') {
    set(
      draft,
      'intended_effects',
      childrenOf(element, 'Intended_Effect').map((effect) => statementOf(effect, taken)),
    )
    set(draft, 'kill_chain_phases', killChainPhasesOf(draft, 'ttp'))
    set(draft, 'behavior', behavior && behaviorOf(behavior, draft))
    set(draft, 'resources', resources && resourcesOf(resources, draft))
    set(draft, 'victim_targeting', victimTargetingOf(childOf(element, 'Victim_Targeting'), draft))
  } else {
    set(draft, 'kill_chain_phases', killChainPhasesOf(draft, 'indicator'))
    OTHERS[draft.type]?.(draft, behavior, resources)
  }
  linkList(draft, 'Exploit_Targets', 'Exploit_Target', 'exploit-targets', readInner)
  linkList(draft, 'Related_TTPs', 'Related_TTP', 'related-ttps', readInner)
}

function behaviorOf(behavior: XmlElement, { taken }: EntityDraft): Json | undefined {
  const malware = childOf(behavior, 'Malware')
  const patterns = childOf(behavior, 'Attack_Patterns')
  const exploits = childOf(behavior, 'Exploits')
  return compact({
    attack_patterns:
      patterns && childrenOf(patterns, 'Attack_Pattern').map((one) => behaviourRecordOf(one, 'attack-pattern', taken)),
    malware_instances:
      malware &&
      childrenOf(malware, 'Malware_Instance').map((one) => behaviourRecordOf(one, 'malware-instance', taken)),
    exploits: exploits && childrenOf(exploits, 'Exploit').map((one) => behaviourRecordOf(one, 'exploit', taken)),
  })
}

function behaviourRecordOf(element: XmlElement, type: string, taken: EntityDraft['taken']): Json | undefined {
  const asValues = (name: string) =>
    termsOf(element, name, taken).map((term) => (typeof term === 'string' ? { value: term } : term))
  const record = compact({
    id: stixIdOf(element, 'id'),
    idref: stixIdOf(element, 'idref'),
    capec_id: takeAttribute(element, 'capec_id', taken),
    types: asValues('Type'),
    names: asValues('Name'),
    title: takeText(element, 'Title', taken),
    description: descriptionOf(element, 'Description', taken),
    short_description: descriptionOf(element, 'Short_Description', taken),
  })
  return record && { type, ...record }
}

function resourcesOf(resources: XmlElement, draft: EntityDraft): Json | undefined {
  const { taken } = draft
  const tools = childOf(resources, 'Tools')
  const infrastructure = childOf(resources, 'Infrastructure')
  const personas = childOf(resources, 'Personas')
  const record =
    infrastructure &&
    compact({
      id: stixIdOf(infrastructure, 'id'),
      title: takeText(infrastructure, 'Title', taken),
      types: childrenOf(infrastructure, 'Type').map((type) =>
        knownTermOf(type, wordsOf('AttackerInfrastructureTypeVocab-1.0'), taken),
      ),
      description: descriptionOf(infrastructure, 'Description', taken),
      short_description: descriptionOf(infrastructure, 'Short_Description', taken),
    })
  return compact({
    tools: tools && childrenOf(tools, 'Tool').map((tool) => toolInformationOf(tool, taken)),
    infrastructure: record,
    personas: personas && childrenOf(personas, 'Persona').map((persona) => identityOf(persona, taken)),
  })
}

function victimTargetingOf(element: XmlElement | undefined, draft: EntityDraft): Json | undefined {
  if (!element) return undefined
  takeObservables(draft, childOf(element, 'Targeted_Technical_Details'))
  return compact({
    identity: identityOf(childOf(element, 'Identity'), draft.taken),
    targeted_systems: termsOf(element, 'Targeted_Systems', draft.taken),
    targeted_information: termsOf(element, 'Targeted_Information', draft.taken),
  })
}

const OTHERS: Readonly<
  Record<string, (draft: EntityDraft, behavior: XmlElement | undefined, resources: XmlElement | undefined) => void>
> = {
  'attack-pattern': (draft, behavior) => {
    const pattern = childOf(childOf(behavior, 'Attack_Patterns'), 'Attack_Pattern')
    const external_id = attributeOf(pattern, 'capec_id')
    if (pattern) draft.taken.add(pattern)
    if (external_id !== '') set(draft, 'external_references', [{ source_name: 'capec', external_id }])
  },
  infrastructure: (draft, _behavior, resources) => {
    const infrastructure = childOf(resources, 'Infrastructure')
    set(draft, 'infrastructure_types', wordsIn(infrastructure, 'Type', draft))
    takeText(infrastructure, 'Title', draft.taken)
  },
  malware: (draft, behavior) => {
    const instance = childOf(childOf(behavior, 'Malware'), 'Malware_Instance')
    set(draft, 'malware_types', wordsIn(instance, 'Type', draft))
    set(
      draft,
      'aliases',
      wordsIn(instance, 'Name', draft).filter((name) => name !== draft.data.title),
    )
  },
  tool: (draft, _behavior, resources) => {
    const tool = childOf(childOf(resources, 'Tools'), 'Tool')
    set(draft, 'tool_types', wordsIn(tool, 'Type', draft))
    set(draft, 'tool_version', takeText(tool, 'Version', draft.taken))
    takeText(tool, 'Name', draft.taken)
  },
}

function wordsIn(parent: XmlElement | undefined, name: string, draft: EntityDraft): string[] {
  const elements = parent ? childrenOf(parent, name) : []
  for (const element of elements) draft.taken.add(element)
  return elements.map(textOf).filter((word) => word !== '')
}
