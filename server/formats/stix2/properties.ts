import { DOMAIN_TYPES } from './ids.ts'
import { fits, type Kind } from './kinds.ts'

type Kinds = Readonly<Record<string, Kind>>

/** Properties that all versioned objects may have. */
export const COMMON: Kinds = {
  created: 'stamp',
  modified: 'stamp',
  created_by_ref: 'id identity',
  revoked: 'flag',
  labels: 'texts',
  confidence: 'percent',
  lang: 'text',
  external_references: 'references',
  object_marking_refs: 'ids marking-definition',
  granular_markings: 'markings',
  extensions: 'extensions',
}

const NAMED: Kinds = { name: 'text', description: 'text' }
const SEEN: Kinds = { first_seen: 'time', last_seen: 'time' }
const PHASES: Kinds = { kill_chain_phases: 'phases' }
const ALIASES: Kinds = { aliases: 'texts' }
const AUTHORED: Kinds = { authors: 'texts', object_refs: 'ids' }
const MOTIVES: Kinds = {
  goals: 'texts',
  resource_level: 'text',
  primary_motivation: 'text',
  secondary_motivations: 'texts',
}

/** Allowed ends of relationships and sightings: everything except each other and objects that are not intelligence. */
const ENDS = 'id !bundle !language-content !marking-definition !relationship !sighting'

/** Observed data and malware analyses reference cyber observables of any type. */
const NO_DOMAIN_OBJECTS =
  `ids ${DOMAIN_TYPES.flatMap((type) => (type === 'sighting' ? [] : [`!${type}`])).join(' ')}` as const

const OWN: Readonly<Record<string, Kinds>> = {
  'attack-pattern': { ...NAMED, ...ALIASES, ...PHASES },
  campaign: { ...NAMED, ...ALIASES, ...SEEN, objective: 'text' },
  'course-of-action': NAMED,
  grouping: { ...NAMED, context: 'text', object_refs: 'ids' },
  identity: { ...NAMED, roles: 'texts', identity_class: 'text', sectors: 'texts', contact_information: 'text' },
  incident: NAMED,
  indicator: {
    ...NAMED,
    ...PHASES,
    indicator_types: 'texts',
    pattern: 'text',
    pattern_type: 'text',
    pattern_version: 'text',
    valid_from: 'time',
    valid_until: 'time',
  },
  infrastructure: { ...NAMED, ...ALIASES, ...PHASES, ...SEEN, infrastructure_types: 'texts' },
  'intrusion-set': { ...NAMED, ...ALIASES, ...SEEN, ...MOTIVES },
  location: {
    ...NAMED,
    latitude: 'latitude',
    longitude: 'longitude',
    precision: 'number',
    region: 'text',
    country: 'text',
    administrative_area: 'text',
    city: 'text',
    street_address: 'text',
    postal_code: 'text',
  },
  malware: {
    ...NAMED,
    ...ALIASES,
    ...PHASES,
    ...SEEN,
    malware_types: 'texts',
    is_family: 'flag',
    operating_system_refs: 'ids software',
    architecture_execution_envs: 'texts',
    implementation_languages: 'texts',
    capabilities: 'texts',
    sample_refs: 'ids artifact file',
  },
  'malware-analysis': {
    product: 'text',
    version: 'text',
    host_vm_ref: 'id software',
    operating_system_ref: 'id software',
    installed_software_refs: 'ids software',
    configuration_version: 'text',
    modules: 'texts',
    analysis_engine_version: 'text',
    analysis_definition_version: 'text',
    submitted: 'time',
    analysis_started: 'time',
    analysis_ended: 'time',
    result_name: 'text',
    result: 'text',
    analysis_sco_refs: NO_DOMAIN_OBJECTS,
    sample_ref: 'id artifact file network-traffic',
  },
  note: { ...AUTHORED, abstract: 'text', content: 'text' },
  'observed-data': {
    first_observed: 'time',
    last_observed: 'time',
    number_observed: 'positive',
    objects: 'record',
    object_refs: NO_DOMAIN_OBJECTS,
  },
  opinion: { ...AUTHORED, explanation: 'text', opinion: 'opinion' },
  relationship: {
    relationship_type: 'key',
    description: 'text',
    source_ref: ENDS,
    target_ref: ENDS,
    start_time: 'time',
    stop_time: 'time',
  },
  report: { ...NAMED, report_types: 'texts', published: 'time', object_refs: 'ids' },
  sighting: {
    ...SEEN,
    description: 'text',
    count: 'whole',
    sighting_of_ref: ENDS,
    observed_data_refs: 'ids observed-data',
    where_sighted_refs: 'ids identity location',
    summary: 'flag',
  },
  'threat-actor': {
    ...NAMED,
    ...ALIASES,
    ...SEEN,
    ...MOTIVES,
    threat_actor_types: 'texts',
    roles: 'texts',
    sophistication: 'text',
    personal_motivations: 'texts',
  },
  tool: { ...NAMED, ...ALIASES, ...PHASES, tool_types: 'texts', tool_version: 'text' },
  vulnerability: NAMED,
}

const kindsOf = (kinds: Readonly<Record<string, Kinds>>, common: Kinds): [string, ReadonlyMap<string, Kind>][] =>
  Object.entries(kinds).map(([type, own]) => [type, new Map(Object.entries({ ...common, ...own }))])

const KINDS: ReadonlyMap<string, ReadonlyMap<string, Kind>> = new Map(kindsOf(OWN, COMMON))

const CUSTOM: ReadonlyMap<string, Kind> = new Map(Object.entries(COMMON))

/** The kind of a property of an object type; undefined if STIX does not define the property there. */
export const kindOf = (type: string, name: string): Kind | undefined => (KINDS.get(type) ?? CUSTOM).get(name)

/** Whether STIX defines the properties of this object type. */
export const isDefined = (type: string): boolean => KINDS.has(type)

/** Whether objects of a type can have a name. Custom objects can. */
export const hasName = (type: string): boolean => !KINDS.has(type) || KINDS.get(type)?.has('name') === true

/** Types for which the name is optional. */
const NAMELESS = new Set(['grouping', 'indicator', 'location', 'malware'])

/** Whether objects of a type must have a name. */
export const needsName = (type: string): boolean => KINDS.get(type)?.has('name') === true && !NAMELESS.has(type)

/** Names that the STIX schemas do not allow for custom properties. */
const FORBIDDEN = new Set(['action', 'phone_numbers', 'severity', 'username'])

/** Whether a custom property is allowed, judged by its name and value. */
export function isCustomProperty(name: string, value: unknown): boolean {
  if (FORBIDDEN.has(name) || !/^[a-z][a-z0-9_]{2,249}$/.test(name)) return false
  if (name.endsWith('_bin')) return fits('binary', value)
  if (name.endsWith('_hex')) return fits('hex', value)
  return fits('any', value)
}

/** Whether a property with this value is allowed in objects of a type. */
export function isValidProperty(type: string, name: string, value: unknown): boolean {
  const kind = kindOf(type, name)
  return kind ? fits(kind, value) : isCustomProperty(name, value)
}
