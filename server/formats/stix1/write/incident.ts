import { type XmlContent, type XmlNode, xml, xmlUnlessEmpty } from '../../xml/write-xml.ts'
import { fieldOf, IMPACT_SUMMARIES, INCIDENT_TIMES, LOSS_ESTIMATIONS } from '../incident-parts.ts'
import { type Json, listIn, recordIn, recordsIn, textIn } from './fields.ts'
import { observableNode } from './observables.ts'
import { handlingNode, type Outgoing, sourceNodeOf, textNodes } from './outgoing.ts'
import { identityNode, informationSourceNode, timeNode } from './sources.ts'
import { confidenceNode, statementNode } from './statements.ts'
import { describe, termNode } from './terms.ts'

/** Writes an incident. */
export function incidentContent(out: Outgoing): readonly XmlContent[] {
  const { fields, naming, linkNodes } = out
  const { title, descriptions } = textNodes(out)
  const time = recordIn(fields.get('time'))
  const sources = (name: string, field: string) =>
    recordsIn(fields.get(field)).map((source) => informationSourceNode(`incident:${name}`, source, naming))
  const observables = out.observables.map((observable) =>
    xml('incident:Related_Observable', {}, observableNode('stixCommon:Observable', observable, out.id, naming)),
  )
  return [
    title,
    externalIds(out),
    xmlUnlessEmpty(
      'incident:Time',
      INCIDENT_TIMES.map((name) =>
        timeNode(`incident:${name}`, time?.[fieldOf(name)], time?.[`${fieldOf(name)}_precision`]),
      ),
    ),
    descriptions,
    xmlUnlessEmpty(
      'incident:Categories',
      listIn(fields.get('categories')).map((one) => termNode('incident:Category', one, 'IncidentCategoryVocab-1.0')),
    ),
    informationSourceNode('incident:Reporter', fields.get('reporter'), naming),
    sources('Responder', 'responders'),
    sources('Coordinator', 'coordinators'),
    recordsIn(fields.get('victims')).map((victim) => identityNode('incident:Victim', victim, naming)),
    xmlUnlessEmpty('incident:Affected_Assets', recordsIn(fields.get('affected_assets')).map(assetNode)),
    impactNode(recordIn(fields.get('impact_assessment'))),
    termNode('incident:Status', fields.get('status'), 'IncidentStatusVocab-1.0'),
    linkNodes.get('Related_Indicators'),
    xmlUnlessEmpty('incident:Related_Observables', observables),
    linkNodes.get('Leveraged_TTPs'),
    linkNodes.get('Attributed_Threat_Actors'),
    listIn(fields.get('intended_effects')).map((one) =>
      statementNode('incident:Intended_Effect', one, 'IntendedEffectVocab-1.0', naming),
    ),
    termNode('incident:Security_Compromise', fields.get('security_compromise'), 'SecurityCompromiseVocab-1.0'),
    listIn(fields.get('discovery_methods')).map((one) =>
      termNode('incident:Discovery_Method', one, 'DiscoveryMethodVocab-2.0'),
    ),
    linkNodes.get('Related_Incidents'),
    linkNodes.get('COA_Requested'),
    linkNodes.get('COA_Taken'),
    confidenceNode('incident:Confidence', fields.get('confidence'), naming),
    sources('Contact', 'contacts'),
    sourceNodeOf(out),
    handlingNode(out),
    linkNodes.get('Related_Packages'),
  ]
}

function externalIds(out: Outgoing): XmlNode[] {
  return recordsIn(out.fields.get('external_references')).flatMap(({ source_name, external_id, url }) => {
    const id = textIn(external_id) ?? textIn(url)
    if (textIn(external_id) === undefined && id !== undefined)
      out.lose('the URL of an external reference is written as its id')
    return id === undefined ? [] : [xml('incident:External_ID', { source: textIn(source_name) }, id)]
  })
}

function assetNode(asset: Json): XmlNode {
  const type = termNode('incident:Type', asset.asset_type, undefined)
  const count = textIn(asset.count_affected)
  const effects = recordsIn(asset.nature_of_security_effect_properties_affected).map((effect) => {
    const compromised = termNode('incident:Non_Public_Data_Compromised', effect.non_public_data_compromised, undefined)
    const isFlag = effect.data_encrypted === 'true' || effect.data_encrypted === 'false'
    return xmlUnlessEmpty(
      'incident:Property_Affected',
      termNode('incident:Property', effect.property, 'LossPropertyVocab-1.0'),
      describe('incident:Description_Of_Effect', effect.description_of_effect),
      termNode(
        'incident:Type_Of_Availability_Loss',
        effect.type_of_availability_loss,
        'AvailabilityLossTypeVocab-1.1.1',
      ),
      termNode('incident:Duration_Of_Availability_Loss', effect.duration_of_availability_loss, 'LossDurationVocab-1.0'),
      compromised && isFlag ? withAttribute(compromised, 'data_encrypted', String(effect.data_encrypted)) : compromised,
    )
  })
  return xml(
    'incident:Affected_Asset',
    {},
    type && count !== undefined ? withAttribute(type, 'count_affected', count) : type,
    describe('incident:Description', asset.description),
    describe('incident:Business_Function_Or_Role', asset.business_function_or_role),
    termNode('incident:Ownership_Class', asset.ownership_class, 'OwnershipClassVocab-1.0'),
    termNode('incident:Management_Class', asset.management_class, 'ManagementClassVocab-1.0'),
    termNode('incident:Location_Class', asset.location_class, 'LocationClassVocab-1.0'),
    xmlUnlessEmpty('incident:Nature_Of_Security_Effect', effects),
  )
}

const withAttribute = (node: XmlNode, name: string, value: string): XmlNode => ({
  ...node,
  attributes: { ...node.attributes, [name]: value },
})

function impactNode(impact: Json | undefined): XmlNode | undefined {
  const losses = recordIn(impact?.total_loss_estimation)
  return xmlUnlessEmpty(
    'incident:Impact_Assessment',
    Object.entries(IMPACT_SUMMARIES).map(([summary, parts]) => {
      const record = recordIn(impact?.[fieldOf(summary)])
      return xmlUnlessEmpty(
        `incident:${summary}`,
        parts.map((part) => termNode(`incident:${part}`, record?.[fieldOf(part)], 'ImpactRatingVocab-1.0')),
      )
    }),
    xmlUnlessEmpty(
      'incident:Total_Loss_Estimation',
      LOSS_ESTIMATIONS.map((name) => {
        const loss = recordIn(losses?.[fieldOf(name)])
        return (
          loss &&
          xml(`incident:${name}`, { amount: textIn(loss.amount), iso_currency_code: textIn(loss.iso_currency_code) })
        )
      }),
    ),
    termNode('incident:Impact_Qualification', impact?.impact_qualification, 'ImpactQualificationVocab-1.0'),
    xmlUnlessEmpty(
      'incident:Effects',
      listIn(impact?.effects).map((effect) => termNode('incident:Effect', effect, 'IncidentEffectVocab-1.0')),
    ),
  )
}
