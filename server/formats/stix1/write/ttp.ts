import { type XmlContent, type XmlNode, xml, xmlUnlessEmpty } from '../../xml/write-xml.ts'
import { type Json, listIn, recordIn, recordsIn, textIn, wordsIn } from './fields.ts'
import { observablesNode } from './observables.ts'
import { handlingNode, killChainNode, type Outgoing, sourceNodeOf, textNodes } from './outgoing.ts'
import { identityNode, toolNode } from './sources.ts'
import { statementNode } from './statements.ts'
import { describe, termNode } from './terms.ts'

/** Writes a TTP, which is also the component for attack patterns, malware, tools and infrastructure. */
export function ttpContent(out: Outgoing): readonly XmlContent[] {
  const { fields, naming, linkNodes } = out
  const { title, descriptions } = textNodes(out)
  const { behavior, resources } = SUBJECTS[out.type]?.(out) ?? {
    behavior: behaviorOf(out),
    resources: resourcesOf(out),
  }
  const targeting = recordIn(fields.get('victim_targeting'))
  return [
    title,
    descriptions,
    listIn(fields.get('intended_effects')).map((effect) =>
      statementNode('ttp:Intended_Effect', effect, 'IntendedEffectVocab-1.0', naming),
    ),
    behavior,
    resources,
    xmlUnlessEmpty(
      'ttp:Victim_Targeting',
      identityNode('ttp:Identity', targeting?.identity, naming),
      listIn(targeting?.targeted_systems).map((system) =>
        termNode('ttp:Targeted_Systems', system, 'SystemTypeVocab-1.0'),
      ),
      listIn(targeting?.targeted_information).map((item) =>
        termNode('ttp:Targeted_Information', item, 'InformationTypeVocab-1.0'),
      ),
    ),
    linkNodes.get('Exploit_Targets'),
    linkNodes.get('Related_TTPs'),
    killChainNode(out),
    sourceNodeOf(out),
    handlingNode(out),
    linkNodes.get('Related_Packages'),
  ]
}

interface Subject {
  readonly behavior?: XmlNode | undefined
  readonly resources?: XmlNode | undefined
}

function behaviorOf(out: Outgoing): XmlNode | undefined {
  const behavior = recordIn(out.fields.get('behavior'))
  return xmlUnlessEmpty(
    'ttp:Behavior',
    xmlUnlessEmpty(
      'ttp:Attack_Patterns',
      recordsIn(behavior?.attack_patterns).map((one) => behaviourNode('ttp:Attack_Pattern', one, out)),
    ),
    xmlUnlessEmpty(
      'ttp:Malware',
      recordsIn(behavior?.malware_instances).map((one) => behaviourNode('ttp:Malware_Instance', one, out)),
    ),
    xmlUnlessEmpty(
      'ttp:Exploits',
      recordsIn(behavior?.exploits).map((one) => behaviourNode('ttp:Exploit', one, out)),
    ),
  )
}

function behaviourNode(name: string, record: Json, { naming, lose }: Outgoing): XmlNode {
  const capec = textIn(record.capec_id)
  const isCapec = name === 'ttp:Attack_Pattern' && capec !== undefined && /^CAPEC-\d+$/.test(capec)
  if (capec !== undefined && !isCapec) lose(`'${capec.slice(0, 40)}' is not a CAPEC id`)
  const isMalware = name === 'ttp:Malware_Instance'
  return xml(
    name,
    { id: naming.optional(record.id), idref: naming.optional(record.idref), capec_id: isCapec ? capec : undefined },
    isMalware ? listIn(record.types).map((type) => termNode('ttp:Type', type, 'MalwareTypeVocab-1.0')) : undefined,
    isMalware ? listIn(record.names).map((one) => termNode('ttp:Name', one, undefined)) : undefined,
    describe('ttp:Title', record.title),
    describe('ttp:Description', record.description),
    describe('ttp:Short_Description', record.short_description),
  )
}

function resourcesOf(out: Outgoing): XmlNode | undefined {
  const resources = recordIn(out.fields.get('resources'))
  const infrastructure = recordIn(resources?.infrastructure)
  return xmlUnlessEmpty(
    'ttp:Resources',
    xmlUnlessEmpty(
      'ttp:Tools',
      recordsIn(resources?.tools).map((tool) => toolNode('ttp:Tool', tool, out.naming, true)),
    ),
    infrastructureNode(out, infrastructure?.title, listIn(infrastructure?.types), infrastructure),
    xmlUnlessEmpty(
      'ttp:Personas',
      recordsIn(resources?.personas).map((persona) => identityNode('ttp:Persona', persona, out.naming)),
    ),
  )
}

/** The observables of a TTP characterise its infrastructure. */
function infrastructureNode(
  out: Outgoing,
  title: unknown,
  types: readonly unknown[],
  about?: Json,
): XmlNode | undefined {
  const node = xmlUnlessEmpty(
    'ttp:Infrastructure',
    describe('ttp:Title', title),
    types.map((type) => termNode('ttp:Type', type, 'AttackerInfrastructureTypeVocab-1.0')),
    describe('ttp:Description', about?.description),
    describe('ttp:Short_Description', about?.short_description),
    observablesNode('ttp:Observable_Characterization', out.observables, out.id, out.naming),
  )
  const id = out.naming.optional(about?.id)
  return node && id !== undefined ? { ...node, attributes: { id } } : node
}

const observed = (out: Outgoing): XmlNode | undefined =>
  xmlUnlessEmpty('ttp:Resources', infrastructureNode(out, undefined, []))

const SUBJECTS: Readonly<Record<string, (out: Outgoing) => Subject>> = {
  'attack-pattern': (out) => {
    const reference = recordsIn(out.fields.get('external_references')).find(
      ({ source_name }) => source_name === 'capec',
    )
    const pattern = behaviourNode('ttp:Attack_Pattern', { capec_id: reference?.external_id, title: out.title }, out)
    return { behavior: xml('ttp:Behavior', {}, xml('ttp:Attack_Patterns', {}, pattern)), resources: observed(out) }
  },
  infrastructure: (out) => {
    const node = infrastructureNode(out, out.title, wordsIn(out.fields.get('infrastructure_types')))
    return { resources: xmlUnlessEmpty('ttp:Resources', node) }
  },
  malware: (out) => {
    const record = {
      types: wordsIn(out.fields.get('malware_types')),
      names: [out.title, ...wordsIn(out.fields.get('aliases'))],
    }
    const instance = behaviourNode('ttp:Malware_Instance', record, out)
    return { behavior: xml('ttp:Behavior', {}, xml('ttp:Malware', {}, instance)), resources: observed(out) }
  },
  tool: (out) => {
    const record = {
      name: out.title,
      types: wordsIn(out.fields.get('tool_types')),
      version: out.fields.get('tool_version'),
    }
    const tools = xmlUnlessEmpty('ttp:Tools', toolNode('ttp:Tool', record, out.naming, true))
    return { resources: xml('ttp:Resources', {}, tools, infrastructureNode(out, undefined, [])) }
  },
}
