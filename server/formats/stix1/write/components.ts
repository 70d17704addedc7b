import { type XmlContent, xml, xmlUnlessEmpty } from '../../xml/write-xml.ts'
import { INDICATOR_TYPES, REPORT_TYPES } from '../own-vocabularies.ts'
import { exploitTargetContent } from './exploit-target.ts'
import { listIn, recordIn, textIn, wordIn, wordsIn } from './fields.ts'
import { incidentContent } from './incident.ts'
import type { KindName } from './kinds.ts'
import { anyOf, observablesNode } from './observables.ts'
import { handlingNode, killChainNode, type Outgoing, sourceNodeOf, textNodes } from './outgoing.ts'
import { partyNode, timeNode } from './sources.ts'
import { confidenceNode, statementNode } from './statements.ts'
import { describe, termNode } from './terms.ts'
import { testMechanismNodes } from './test-mechanisms.ts'
import { ttpContent } from './ttp.ts'

/** Returns the contents of an entity's component, in the order that the schema requires. */
export const contentOf = (out: Outgoing): readonly XmlContent[] => CONTENTS[out.kind](out)

const CONTENTS: Readonly<Record<KindName, (out: Outgoing) => readonly XmlContent[]>> = {
  Campaign: campaignContent,
  Course_Of_Action: courseOfActionContent,
  Exploit_Target: exploitTargetContent,
  Incident: incidentContent,
  Indicator: indicatorContent,
  Report: reportContent,
  TTP: ttpContent,
  Threat_Actor: threatActorContent,
}

function indicatorContent(out: Outgoing): readonly XmlContent[] {
  const { fields, naming, linkNodes, prefix } = out
  const { title, descriptions } = textNodes(out)
  const composition = linkNodes.get('Composite_Indicator_Expression')
  const observable = anyOf('indicator:Observable', out.observables, out.id, naming)
  if (composition && observable)
    out.lose('a STIX 1.2 indicator has either observables or parts: the parts are not exported')
  return [
    title,
    listIn(fields.get('types')).map((type) => termNode('indicator:Type', type, 'IndicatorTypeVocab-1.1')),
    wordsIn(fields.get('indicator_types')).map((type) => xml('indicator:Type', { vocab_name: INDICATOR_TYPES }, type)),
    wordsIn(fields.get('alternative_ids')).map((id) => xml('indicator:Alternative_ID', {}, id)),
    descriptions,
    xmlUnlessEmpty(
      'indicator:Valid_Time_Position',
      timeNode('indicator:Start_Time', fields.get('valid_from'), fields.get('valid_from_precision')),
      timeNode('indicator:End_Time', fields.get('valid_until'), fields.get('valid_until_precision')),
    ),
    observable ?? composition,
    linkNodes.get('Indicated_TTP'),
    killChainNode(out),
    xmlUnlessEmpty('indicator:Test_Mechanisms', testMechanismNodes(out)),
    statementNode('indicator:Likely_Impact', fields.get('likely_impact'), 'HighMediumLowVocab-1.0', naming),
    linkNodes.get('Suggested_COAs'),
    handlingNode(out),
    confidenceNode(`${prefix}:Confidence`, fields.get('confidence'), naming),
    linkNodes.get('Related_Indicators'),
    linkNodes.get('Related_Campaigns'),
    linkNodes.get('Related_Packages'),
    sourceNodeOf(out, 'indicator:Producer'),
  ]
}

function campaignContent(out: Outgoing): readonly XmlContent[] {
  const { fields, naming, linkNodes } = out
  const { title, descriptions } = textNodes(out)
  const names = [...listIn(fields.get('names')), ...wordsIn(fields.get('aliases'))]
  return [
    title,
    descriptions,
    xmlUnlessEmpty(
      'campaign:Names',
      names.map((name) => termNode('campaign:Name', name, undefined)),
    ),
    listIn(fields.get('intended_effects')).map((effect) =>
      statementNode('campaign:Intended_Effect', effect, 'IntendedEffectVocab-1.0', naming),
    ),
    termNode('campaign:Status', fields.get('status'), 'CampaignStatusVocab-1.0'),
    linkNodes.get('Related_TTPs'),
    linkNodes.get('Related_Incidents'),
    linkNodes.get('Related_Indicators'),
    linkNodes.get('Attribution'),
    linkNodes.get('Associated_Campaigns'),
    confidenceNode('campaign:Confidence', fields.get('confidence'), naming),
    sourceNodeOf(out),
    handlingNode(out),
    linkNodes.get('Related_Packages'),
  ]
}

function courseOfActionContent(out: Outgoing): readonly XmlContent[] {
  const { fields, naming, linkNodes } = out
  const { title, descriptions } = textNodes(out)
  const objective = recordIn(fields.get('objective'))
  const level = (name: string, field: string) =>
    statementNode(name, fields.get(field), 'HighMediumLowVocab-1.0', naming)
  return [
    title,
    termNode('coa:Stage', fields.get('stage'), 'COAStageVocab-1.0'),
    termNode('coa:Type', fields.get('coa_type'), 'CourseOfActionTypeVocab-1.0'),
    descriptions,
    xmlUnlessEmpty(
      'coa:Objective',
      describe('coa:Description', objective?.description),
      describe('coa:Short_Description', objective?.short_description),
      confidenceNode('coa:Applicability_Confidence', objective?.applicability_confidence, naming),
    ),
    observablesNode('coa:Parameter_Observables', out.observables, out.id, naming),
    level('coa:Impact', 'impact'),
    level('coa:Cost', 'cost'),
    level('coa:Efficacy', 'efficacy'),
    sourceNodeOf(out),
    handlingNode(out),
    linkNodes.get('Related_COAs'),
    linkNodes.get('Related_Packages'),
  ]
}

function threatActorContent(out: Outgoing): readonly XmlContent[] {
  const { fields, naming, linkNodes } = out
  const { title, descriptions } = textNodes(out)
  const names = wordsIn(fields.get('names'))
  const aliases = wordsIn(fields.get('aliases'))
  const roles = wordsIn(fields.get('roles'))
  const motivations = [
    wordIn(fields.get('primary_motivation')),
    ...wordsIn(fields.get('secondary_motivations')),
    ...wordsIn(fields.get('personal_motivations')),
  ]
  return [
    title,
    descriptions,
    names.length + aliases.length + roles.length === 0
      ? undefined
      : partyNode('ta:Identity', {}, names, aliases, roles),
    wordsIn(fields.get('threat_actor_types')).map((type) =>
      statementNode('ta:Type', type, 'ThreatActorTypeVocab-1.0', naming),
    ),
    motivations.map((motivation) => statementNode('ta:Motivation', motivation, 'MotivationVocab-1.1', naming)),
    statementNode(
      'ta:Sophistication',
      textIn(fields.get('sophistication')),
      'ThreatActorSophisticationVocab-1.0',
      naming,
    ),
    wordsIn(fields.get('goals')).map((goal) =>
      statementNode('ta:Intended_Effect', goal, 'IntendedEffectVocab-1.0', naming),
    ),
    wordsIn(fields.get('planning_and_operational_support')).map((support) =>
      statementNode('ta:Planning_And_Operational_Support', support, 'PlanningAndOperationalSupportVocab-1.0.1', naming),
    ),
    linkNodes.get('Observed_TTPs'),
    linkNodes.get('Associated_Campaigns'),
    linkNodes.get('Associated_Actors'),
    handlingNode(out),
    confidenceNode('ta:Confidence', fields.get('confidence'), naming),
    sourceNodeOf(out),
    linkNodes.get('Related_Packages'),
  ]
}

function reportContent(out: Outgoing): readonly XmlContent[] {
  const { fields, naming, linkNodes } = out
  const { title, descriptions } = textNodes(out)
  const intents = listIn(fields.get('intents')).map((intent) =>
    termNode('report:Intent', intent, 'ReportIntentVocab-1.0'),
  )
  const types = wordsIn(fields.get('report_types')).map((type) =>
    xml('report:Intent', { vocab_name: REPORT_TYPES }, type),
  )
  const lists = [
    'Indicators',
    'TTPs',
    'Exploit_Targets',
    'Incidents',
    'Courses_Of_Action',
    'Campaigns',
    'Threat_Actors',
    'Related_Reports',
  ]
  return [
    xml(
      'report:Header',
      {},
      title,
      intents,
      types,
      descriptions,
      handlingNode(out, '../../../../descendant-or-self::node()'),
      sourceNodeOf(out),
    ),
    observablesNode('report:Observables', out.observables, out.id, naming),
    lists.map((list) => linkNodes.get(list)),
  ]
}
