/** A component of STIX 1.2: its name, the prefix of its elements, its type, and the section that it stands in. */
export interface Kind {
  readonly name: string
  readonly prefix: string
  readonly type: string
  readonly version: string
  readonly section: string
  /** The element of the section. */
  readonly element: string
}

const kind = (name: string, prefix: string, type: string, section: string, version = '1.2'): Kind => ({
  name,
  prefix,
  type: `${prefix}:${type}`,
  version,
  section,
  element: `${name === 'Exploit_Target' ? 'stixCommon' : 'stix'}:${name}`,
})

/** The components in the order in which a package has them. */
export const KINDS = {
  Indicator: kind('Indicator', 'indicator', 'IndicatorType', 'Indicators', '2.2'),
  TTP: kind('TTP', 'ttp', 'TTPType', 'TTPs'),
  Exploit_Target: kind('Exploit_Target', 'et', 'ExploitTargetType', 'Exploit_Targets'),
  Incident: kind('Incident', 'incident', 'IncidentType', 'Incidents'),
  Course_Of_Action: kind('Course_Of_Action', 'coa', 'CourseOfActionType', 'Courses_Of_Action'),
  Campaign: kind('Campaign', 'campaign', 'CampaignType', 'Campaigns'),
  Threat_Actor: kind('Threat_Actor', 'ta', 'ThreatActorType', 'Threat_Actors'),
  Report: kind('Report', 'report', 'ReportType', 'Reports', '1.0'),
} as const

/** The name of a component. */
export type KindName = keyof typeof KINDS

const OF_TYPES: ReadonlyMap<string, KindName> = new Map([
  ['attack-pattern', 'TTP'],
  ['campaign', 'Campaign'],
  ['course-of-action', 'Course_Of_Action'],
  ['exploit-target', 'Exploit_Target'],
  ['incident', 'Incident'],
  ['indicator', 'Indicator'],
  ['infrastructure', 'TTP'],
  ['intrusion-set', 'Threat_Actor'],
  ['malware', 'TTP'],
  ['threat-actor', 'Threat_Actor'],
  ['tool', 'TTP'],
  ['ttp', 'TTP'],
])

/** The component that an entity of a type is written as: what STIX 1.2 has nothing near to is a report. */
export const kindOf = (type: string): KindName => OF_TYPES.get(type) ?? 'Report'

/** Whether STIX 1.2 has a component for entities of a type. */
export const isOwnKind = (type: string): boolean => OWN.has(type)

const OWN = new Set([
  'campaign',
  'course-of-action',
  'exploit-target',
  'incident',
  'indicator',
  'report',
  'threat-actor',
  'ttp',
])
