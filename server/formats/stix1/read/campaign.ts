import { childOf, childrenOf, textOf } from '../../xml/xml-element.ts'
import { wordsOf } from '../vocabularies.ts'
import { type EntityDraft, set } from './draft.ts'
import { link, linkList, type ReadInner } from './links.ts'
import { termsOf } from './records.ts'
import { statementOf } from './statements.ts'

/** Reads a campaign. */
export function readCampaign(draft: EntityDraft, readInner: ReadInner): void {
  const { element, taken } = draft
  const names = termsOf(childOf(element, 'Names'), 'Name', taken)
  set(
    draft,
    'names',
    names.map((name) => (typeof name === 'string' ? { value: name } : name)),
  )
  set(
    draft,
    'intended_effects',
    childrenOf(element, 'Intended_Effect').map((effect) => statementOf(effect, taken)),
  )
  const status = childOf(element, 'Status')
  if (status && wordsOf('CampaignStatusVocab-1.0').has(textOf(status))) {
    taken.add(status)
    set(draft, 'status', textOf(status))
  }
  linkList(draft, 'Related_TTPs', 'Related_TTP', 'related-ttps', readInner)
  linkList(draft, 'Related_Incidents', 'Related_Incident', 'related-incidents', readInner)
  linkList(draft, 'Related_Indicators', 'Related_Indicator', 'related-indicators', readInner)
  linkList(draft, 'Associated_Campaigns', 'Associated_Campaign', 'associated-campaigns', readInner)
  childrenOf(element, 'Attribution').forEach((attribution, index) => {
    childrenOf(attribution, 'Attributed_Threat_Actor').forEach((actor, place) => {
      const path = `Attribution[${index + 1}]/Attributed_Threat_Actor[${place + 1}]`
      link(draft, actor, path, 'attributed-threat-actors', readInner)
    })
  })
}
