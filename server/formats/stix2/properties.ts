import { partsOf } from './ids.ts'
import { isRecord } from './stix-object.ts'
import { isUri } from './uri.ts'

/** What a property of STIX 2.1 holds, as far as its schemas look into it. */
export type Kind =
  | 'flag'
  | 'id'
  | 'ids'
  | 'number'
  | 'percent'
  | 'phases'
  | 'positive'
  | 'record'
  | 'records'
  | 'references'
  | 'stamp'
  | 'text'
  | 'texts'
  | 'time'
  | 'whole'

type Kinds = Readonly<Record<string, Kind>>

const COMMON: Kinds = {
  created: 'stamp',
  modified: 'stamp',
  created_by_ref: 'id',
  revoked: 'flag',
  labels: 'texts',
  confidence: 'percent',
  lang: 'text',
  external_references: 'references',
  object_marking_refs: 'ids',
  granular_markings: 'records',
  extensions: 'record',
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
    latitude: 'number',
    longitude: 'number',
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
    operating_system_refs: 'ids',
    architecture_execution_envs: 'texts',
    implementation_languages: 'texts',
    capabilities: 'texts',
    sample_refs: 'ids',
  },
  'malware-analysis': {
    product: 'text',
    version: 'text',
    host_vm_ref: 'id',
    operating_system_ref: 'id',
    installed_software_refs: 'ids',
    configuration_version: 'text',
    modules: 'texts',
    analysis_engine_version: 'text',
    analysis_definition_version: 'text',
    submitted: 'time',
    analysis_started: 'time',
    analysis_ended: 'time',
    result_name: 'text',
    result: 'text',
    analysis_sco_refs: 'ids',
    sample_ref: 'id',
  },
  note: { ...AUTHORED, abstract: 'text', content: 'text' },
  'observed-data': {
    first_observed: 'time',
    last_observed: 'time',
    number_observed: 'positive',
    objects: 'record',
    object_refs: 'ids',
  },
  opinion: { ...AUTHORED, explanation: 'text', opinion: 'text' },
  relationship: {
    relationship_type: 'text',
    description: 'text',
    source_ref: 'id',
    target_ref: 'id',
    start_time: 'time',
    stop_time: 'time',
  },
  report: { ...NAMED, report_types: 'texts', published: 'time', object_refs: 'ids' },
  sighting: {
    ...SEEN,
    description: 'text',
    count: 'whole',
    sighting_of_ref: 'id',
    observed_data_refs: 'ids',
    where_sighted_refs: 'ids',
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

const KINDS: ReadonlyMap<string, ReadonlyMap<string, Kind>> = new Map(
  Object.entries(OWN).map(([type, own]) => [type, new Map(Object.entries({ ...COMMON, ...own }))]),
)

const CUSTOM: ReadonlyMap<string, Kind> = new Map(Object.entries(COMMON))

/** What a property of an object of a type holds; undefined for one that STIX does not define there. */
export const kindOf = (type: string, name: string): Kind | undefined => (KINDS.get(type) ?? CUSTOM).get(name)

/** Whether STIX says what objects of a type hold. */
export const isDefined = (type: string): boolean => KINDS.has(type)

/** Whether objects of a type have a name; custom objects may. */
export const hasName = (type: string): boolean => !KINDS.has(type) || KINDS.get(type)?.has('name') === true

/** Types that may be without a name, though they have one. */
const NAMELESS = new Set(['grouping', 'indicator', 'location', 'malware'])

/** Whether every object of a type must have a name. */
export const needsName = (type: string): boolean => KINDS.get(type)?.has('name') === true && !NAMELESS.has(type)

/** Whether a property that STIX does not define may stand in an object, by its name and value. */
export const isCustomProperty = (name: string, value: unknown): boolean =>
  /^[a-z][a-z0-9_]{2,249}$/.test(name) && value !== null && !(Array.isArray(value) && value.length === 0)

const TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?Z$/
const isText = (value: unknown): boolean => typeof value === 'string'
const isId = (value: unknown): boolean => partsOf(value) !== undefined
const listOf =
  (isItem: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every(isItem)

const FITS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  flag: (value) => typeof value === 'boolean',
  id: isId,
  ids: listOf(isId),
  number: (value) => typeof value === 'number',
  percent: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100,
  phases: listOf((value) => isRecord(value) && isText(value.kill_chain_name) && isText(value.phase_name)),
  positive: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 999_999_999,
  record: (value) => isRecord(value) && Object.keys(value).length > 0,
  records: listOf(isRecord),
  references: listOf(isReference),
  // When an object was made and changed is said to the millisecond.
  stamp: (value) => typeof value === 'string' && TIME.test(value) && /\.\d{3,}Z$/.test(value),
  text: isText,
  texts: listOf(isText),
  time: (value) => typeof value === 'string' && TIME.test(value),
  whole: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 999_999_999,
}

/** Whether a value is what a kind of property holds. */
export const fits = (kind: Kind, value: unknown): boolean => FITS[kind](value)

/** Whether a record points to something outside, as STIX has it. */
export function isReference(value: unknown): boolean {
  if (!isRecord(value) || !isText(value.source_name)) return false
  const others = [value.description, value.url, value.external_id].filter((other) => other !== undefined)
  return others.length > 0 && others.every(isText) && (value.url === undefined || isUri(String(value.url)))
}
