/** A STIX 1.2 component: its name, the prefix of its elements, its type, and its section. */
export interface Kind {
  readonly name: string
  readonly prefix: string
  readonly type: string
  readonly version: string
  readonly section: string
  /** The element in the section. */
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

/** The components in the order of a package. */
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

/** The component for an entity type. Types without a close equivalent in STIX 1.2 become reports. */
export const kindOf = (type: string): KindName => OF_TYPES.get(type) ?? 'Report'

/** Whether STIX 1.2 has a component for this entity type. */
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
