type Table = Record<string, Record<string, readonly string[]>>

/**
 * The relationships of STIX 2.1 domain objects: source, key, targets. Targets that are not entities (observables, observed data) are
 * omitted, and so are keys without other targets.
 */
const STIX_2: Table = {
  'attack-pattern': {
    delivers: ['malware'],
    targets: ['identity', 'location', 'vulnerability'],
    uses: ['malware', 'tool'],
  },
  campaign: {
    'attributed-to': ['intrusion-set', 'threat-actor'],
    compromises: ['infrastructure'],
    'originates-from': ['location'],
    targets: ['identity', 'location', 'vulnerability'],
    uses: ['attack-pattern', 'infrastructure', 'malware', 'tool'],
  },
  'course-of-action': {
    investigates: ['indicator'],
    mitigates: ['attack-pattern', 'indicator', 'malware', 'tool', 'vulnerability'],
    remediates: ['malware', 'vulnerability'],
  },
  identity: {
    'located-at': ['location'],
  },
  indicator: {
    // Observed data become sightings in the platform.
    'based-on': ['vendor-sighting'],
    indicates: ['attack-pattern', 'campaign', 'infrastructure', 'intrusion-set', 'malware', 'threat-actor', 'tool'],
  },
  infrastructure: {
    'communicates-with': ['infrastructure'],
    'consists-of': ['infrastructure', 'vendor-sighting'],
    controls: ['infrastructure', 'malware'],
    delivers: ['malware'],
    has: ['vulnerability'],
    hosts: ['malware', 'tool'],
    'located-at': ['location'],
    uses: ['infrastructure'],
  },
  'intrusion-set': {
    'attributed-to': ['threat-actor'],
    compromises: ['infrastructure'],
    hosts: ['infrastructure'],
    'originates-from': ['location'],
    owns: ['infrastructure'],
    targets: ['identity', 'location', 'vulnerability'],
    uses: ['attack-pattern', 'infrastructure', 'malware', 'tool'],
  },
  malware: {
    'authored-by': ['intrusion-set', 'threat-actor'],
    'beacons-to': ['infrastructure'],
    controls: ['malware'],
    downloads: ['malware', 'tool'],
    drops: ['malware', 'tool'],
    // The specification and its validator spell this key differently.
    'exfiltrate-to': ['infrastructure'],
    'exfiltrates-to': ['infrastructure'],
    exploits: ['vulnerability'],
    'originates-from': ['location'],
    targets: ['identity', 'infrastructure', 'location', 'vulnerability'],
    uses: ['attack-pattern', 'infrastructure', 'malware', 'tool'],
    'variant-of': ['malware'],
  },
  'malware-analysis': {
    'analysis-of': ['malware'],
    characterizes: ['malware'],
    'dynamic-analysis-of': ['malware'],
    'static-analysis-of': ['malware'],
  },
  'threat-actor': {
    'attributed-to': ['identity'],
    compromises: ['infrastructure'],
    hosts: ['infrastructure'],
    impersonates: ['identity'],
    'located-at': ['location'],
    owns: ['infrastructure'],
    targets: ['identity', 'location', 'vulnerability'],
    uses: ['attack-pattern', 'infrastructure', 'malware', 'tool'],
  },
  tool: {
    delivers: ['malware'],
    drops: ['malware'],
    has: ['vulnerability'],
    targets: ['identity', 'infrastructure', 'location', 'vulnerability'],
    uses: ['infrastructure'],
  },
}

/** Domain objects with only the common relationships. */
const STIX_2_PLAIN = ['incident', 'location', 'note', 'report', 'vulnerability']

const STIX_2_TYPES = [...Object.keys(STIX_2), ...STIX_2_PLAIN]

/** A STIX 2.1 sighting is an edge rather than a node: it only states what was seen, by whom and where. */
const STIX_2_SIGHTING: Table = {
  'vendor-sighting': {
    'sighting-of': STIX_2_TYPES,
    'where-sighted': ['identity', 'location'],
  },
}

/**
 * The relationships of STIX 1.2 components: source, key, targets. A key is the name of an XML element, in the plural if a component can
 * have several. Packages have no entity; they are imported as reports.
 */
const STIX_1: Table = {
  campaign: {
    'associated-campaigns': ['campaign'],
    'attributed-threat-actors': ['threat-actor'],
    attribution: ['threat-actor'],
    'related-incidents': ['incident'],
    'related-indicators': ['indicator'],
    'related-packages': ['report'],
    'related-ttps': ['ttp'],
  },
  'course-of-action': {
    'related-coas': ['course-of-action'],
    'related-packages': ['report'],
  },
  'exploit-target': {
    'potential-coas': ['course-of-action'],
    'related-exploit-targets': ['exploit-target'],
    'related-packages': ['report'],
  },
  incident: {
    'attributed-threat-actors': ['threat-actor'],
    'coa-requested': ['course-of-action'],
    'coa-taken': ['course-of-action'],
    'leveraged-ttps': ['ttp'],
    'related-incidents': ['incident'],
    'related-indicators': ['indicator'],
    'related-packages': ['report'],
  },
  indicator: {
    'indicated-ttps': ['ttp'],
    'related-campaigns': ['campaign'],
    'related-indicators': ['indicator'],
    'related-packages': ['report'],
    'suggested-coas': ['course-of-action'],
  },
  report: {
    campaigns: ['campaign'],
    'course-of-action': ['course-of-action'],
    'courses-of-action': ['course-of-action'],
    'exploit-targets': ['exploit-target'],
    incidents: ['incident'],
    indicators: ['indicator'],
    'related-reports': ['report'],
    'threat-actors': ['threat-actor'],
    ttps: ['ttp'],
  },
  'threat-actor': {
    'associated-actors': ['threat-actor'],
    'associated-campaigns': ['campaign'],
    'observed-ttps': ['ttp'],
    'related-packages': ['report'],
  },
  ttp: {
    'exploit-targets': ['exploit-target'],
    'related-packages': ['report'],
    'related-ttps': ['ttp'],
  },
}

const triple = (source: string, key: string, target: string): string => `${source} ${key} ${target}`

const triplesOf = (table: Table): string[] =>
  Object.entries(table).flatMap(([source, keys]) =>
    Object.entries(keys).flatMap(([key, targets]) => targets.map((target) => triple(source, key, target))),
  )

const inStix1 = new Set(triplesOf(STIX_1))
const inStix2 = new Set([...triplesOf(STIX_2), ...triplesOf(STIX_2_SIGHTING)])
const typesOfStix2 = new Set(STIX_2_TYPES)

/** Whether STIX 1.2 defines a relationship with this key, plural or singular, between entities of these types. */
export const isStrictStix1 = (sourceType: string, key: string, targetType: string): boolean =>
  inStix1.has(triple(sourceType, key, targetType)) || inStix1.has(triple(sourceType, `${key}s`, targetType))

/** Whether STIX 2.1 defines a relationship with this key between entities of these types. */
export function isStrictStix2(sourceType: string, key: string, targetType: string): boolean {
  const source = nameInStix2(sourceType)
  const target = nameInStix2(targetType)
  if (inStix2.has(triple(source, key, target))) return true
  if (!typesOfStix2.has(source) || !typesOfStix2.has(target)) return false
  if (key === 'derived-from' || key === 'duplicate-of') return source === target
  return key === 'related-to'
}

/** Returns the keys that STIX 2.1 defines between entities of these types, specific ones before common ones. */
export function strictKeys(sourceType: string, targetType: string): string[] {
  const own = Object.entries({ ...STIX_2, ...STIX_2_SIGHTING }[nameInStix2(sourceType)] ?? {})
  const keys = own.filter(([, targets]) => targets.includes(nameInStix2(targetType))).map(([key]) => key)
  const common = ['derived-from', 'duplicate-of', 'related-to']
  return [...keys, ...common.filter((key) => isStrictStix2(sourceType, key, targetType))]
}

const nameInStix2 = (type: string): string => (type === 'exploit-target' ? 'vulnerability' : type)
