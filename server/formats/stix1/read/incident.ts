import { attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { fieldOf, IMPACT_SUMMARIES, INCIDENT_TIMES, LOSS_ESTIMATIONS } from '../incident-parts.ts'
import { affectedAssetOf } from './affected-asset.ts'
import { type EntityDraft, set, takeObservables, takeRelatedObservables } from './draft.ts'
import { identityOf } from './identity.ts'
import { compact, type Json } from './json.ts'
import { link, linkList, type ReadInner } from './links.ts'
import { informationSourceOf, termOf, termsOf, timeFieldsOf } from './records.ts'
import { statementOf } from './statements.ts'
import { takeAttribute } from './taken.ts'

/** Reads an incident. */
export function readIncident(draft: EntityDraft, readInner: ReadInner): void {
  const { element, taken } = draft
  const sources = (name: string) => childrenOf(element, name).map((source) => informationSourceOf(source, taken))
  const categories = childOf(element, 'Categories')
  set(draft, 'external_references', [...externalIdsOf(draft), ...urlOf(draft)])
  set(draft, 'time', timeOfIncident(childOf(element, 'Time'), draft))
  set(draft, 'categories', termsOf(categories, 'Category', taken))
  set(draft, 'reporter', informationSourceOf(childOf(element, 'Reporter'), taken))
  set(draft, 'responders', sources('Responder'))
  set(draft, 'coordinators', sources('Coordinator'))
  set(draft, 'contacts', sources('Contact'))
  set(
    draft,
    'victims',
    childrenOf(element, 'Victim').map((victim) => identityOf(victim, taken)),
  )
  const assets = childOf(element, 'Affected_Assets')
  set(
    draft,
    'affected_assets',
    assets && childrenOf(assets, 'Affected_Asset').map((asset) => affectedAssetOf(asset, draft)),
  )
  set(draft, 'impact_assessment', impactAssessmentOf(childOf(element, 'Impact_Assessment'), draft))
  set(draft, 'status', termOf(childOf(element, 'Status'), taken))
  set(
    draft,
    'intended_effects',
    childrenOf(element, 'Intended_Effect').map((effect) => statementOf(effect, taken)),
  )
  set(draft, 'security_compromise', termOf(childOf(element, 'Security_Compromise'), taken))
  set(draft, 'discovery_methods', termsOf(element, 'Discovery_Method', taken))
  takeRelatedObservables(draft, childOf(element, 'Related_Observables'), 'Related_Observable')
  for (const asset of assets ? childrenOf(assets, 'Affected_Asset') : [])
    takeObservables(draft, childOf(asset, 'Structured_Description'))
  readLinks(draft, readInner)
}

function readLinks(draft: EntityDraft, readInner: ReadInner): void {
  linkList(draft, 'Related_Indicators', 'Related_Indicator', 'related-indicators', readInner)
  linkList(draft, 'Leveraged_TTPs', 'Leveraged_TTP', 'leveraged-ttps', readInner)
  linkList(draft, 'Related_Incidents', 'Related_Incident', 'related-incidents', readInner)
  for (const list of childrenOf(draft.element, 'Attributed_Threat_Actors'))
    childrenOf(list).forEach((actor, index) => {
      const path = `Attributed_Threat_Actors/${actor.name}[${index + 1}]`
      link(draft, actor, path, 'attributed-threat-actors', readInner)
    })
  for (const [name, key] of [
    ['COA_Requested', 'coa-requested'],
    ['COA_Taken', 'coa-taken'],
  ] as const)
    childrenOf(draft.element, name).forEach((item, index) => {
      link(draft, item, `${name}[${index + 1}]`, key, readInner)
    })
}

function externalIdsOf({ element, taken }: EntityDraft): Json[] {
  return childrenOf(element, 'External_ID').flatMap((id) => {
    taken.add(id)
    return textOf(id) === ''
      ? []
      : [{ source_name: attributeOf(id, 'source') || 'External_ID', external_id: textOf(id) }]
  })
}

function urlOf({ element, taken }: EntityDraft): Json[] {
  const url = takeAttribute(element, 'URL', taken)
  return url === undefined ? [] : [{ source_name: 'URL', url }]
}

function timeOfIncident(element: XmlElement | undefined, { taken }: EntityDraft): Json | undefined {
  const fields = INCIDENT_TIMES.flatMap((name) => timeFieldsOf(childOf(element, name), name.toLowerCase(), taken))
  return fields.length === 0 ? undefined : { type: 'incident-time', ...Object.fromEntries(fields) }
}

function impactAssessmentOf(element: XmlElement | undefined, { taken }: EntityDraft): Json | undefined {
  if (!element) return undefined
  const summaries = Object.entries(IMPACT_SUMMARIES).map(([summary, parts]) => {
    const list = childOf(element, summary)
    const fields = parts.map((part) => [fieldOf(part), termOf(childOf(list, part), taken)] as const)
    return [fieldOf(summary), compact(Object.fromEntries(fields))] as const
  })
  const losses = childOf(element, 'Total_Loss_Estimation')
  const record = compact({
    ...Object.fromEntries(summaries),
    total_loss_estimation: losses && lossesOf(losses, taken),
    impact_qualification: termOf(childOf(element, 'Impact_Qualification'), taken),
    effects: termsOf(childOf(element, 'Effects'), 'Effect', taken),
  })
  return record && { type: 'impact-assessment', ...record }
}

function lossesOf(element: XmlElement, taken: EntityDraft['taken']): Json | undefined {
  const fields = LOSS_ESTIMATIONS.map((name) => {
    const child = childOf(element, name)
    if (child) taken.add(child)
    const record = compact({
      amount: attributeOf(child, 'amount'),
      iso_currency_code: attributeOf(child, 'iso_currency_code'),
    })
    return [fieldOf(name), record] as const
  })
  return compact(Object.fromEntries(fields))
}
