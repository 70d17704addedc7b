import { attributeOf, childOf, childrenOf, type XmlElement } from '../../xml/xml-element.ts'
import { stixIdOf } from '../stix1-ids.ts'
import type { EntityDraft } from './draft.ts'
import { compact, type Json } from './json.ts'

/** Returns the kill chain phases that a component references, with their names if the document defines them. */
export function killChainPhasesOf(draft: EntityDraft, type: 'indicator' | 'ttp'): Json[] {
  const list = childOf(draft.element, 'Kill_Chain_Phases')
  return (list ? childrenOf(list, 'Kill_Chain_Phase') : []).flatMap((phase): Json[] => {
    draft.taken.add(phase)
    const record = phaseOf(phase, draft, type)
    return record ? [record] : []
  })
}

function phaseOf(element: XmlElement, { reading }: EntityDraft, type: 'indicator' | 'ttp'): Json | undefined {
  const phase_id = stixIdOf(element, 'phase_id')
  const kill_chain_id = stixIdOf(element, 'kill_chain_id')
  const known = reading.survey.phases.get(phase_id ?? '')
  const name = attributeOf(element, 'name') || known?.phase_name
  const chain =
    attributeOf(element, 'kill_chain_name') || reading.survey.chains.get(kill_chain_id ?? '') || known?.kill_chain_name
  const record = compact({ kill_chain_id, kill_chain_name: chain, phase_id, phase_name: name })
  if (!record || type === 'ttp') return record
  // For indicators, both names are required.
  return { ...record, kill_chain_name: chain ?? kill_chain_id ?? 'unknown', phase_name: name ?? phase_id ?? 'unknown' }
}
