import type { Cast } from './cast.ts'
import { definitions } from './definitions.ts'
import type { Details } from './details.ts'
import { killChain } from './details-threats.ts'
import { listOf } from './lists.ts'
import { patternOf } from './pattern.ts'
import type { Random } from './random.ts'
import { timeOf } from './time.ts'
import { PLATFORMS, REPORTERS } from './topics.ts'
import { ADJECTIVES, NOUNS } from './words.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const INDICATOR_TYPES = listOf(
  'malicious-activity, anomalous-activity, compromised, attribution, anonymization, benign',
)
const REPORT_TYPES = listOf('threat-report, indicator, malware, campaign, threat-actor, vulnerability, attack-pattern')
const IMPACTS = listOf('Medium, Low, High, Unknown, None')
const INTENTS = listOf('Indicators, Threat Report, Campaign Characterization, Malware Characterization, Observations')
const CATEGORIES = listOf('Unauthorized Access, Malicious Code, Improper Usage, Denial of Service, Investigation')
const COUNTERMEASURES = listOf('Perimeter Blocking, Patching, Monitoring, Hardening, Eradication, Training, Rebuilding')

const level = (random: Random) => ({ value: random.prefer(IMPACTS) })

const description = (random: Random): string => `a ${random.prefer(ADJECTIVES)} ${random.prefer(NOUNS)}`

const organisation = ({ organisation: name }: Cast) => ({ type: 'identity', name })

const version = (random: Random): string => `${1 + random.below(9)}.${random.below(30)}.${random.below(10)}`

/** The fields of findings, events and knowledge. */
export const findingDetails = {
  indicator: (random, { observables, firstSeen }) => ({
    indicator_types: [random.prefer(INDICATOR_TYPES)],
    pattern: patternOf(observables[0]),
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: timeOf(firstSeen),
    valid_until: random.chance(30) ? null : timeOf(firstSeen + (30 + random.below(335)) * DAY),
    likely_impact: level(random),
    ...(random.chance(50) && { kill_chain_phases: killChain(random) }),
  }),
  report: (random, { written }) => ({
    report_types: [random.prefer(REPORT_TYPES)],
    intents: [random.prefer(INTENTS)],
    published: timeOf(written),
    information_source: { type: 'information-source', description: random.prefer(REPORTERS) },
  }),
  'vendor-sighting': (random, cast) => ({
    count: 1 + random.rank(12),
    summary: random.chance(20),
    first_seen: timeOf(cast.firstSeen),
    last_seen: timeOf(cast.lastSeen),
    security_control: { type: 'information-source', identity: organisation(cast) },
    likely_impact: level(random),
  }),
  incident: (random, cast) => ({
    categories: [random.prefer(CATEGORIES)],
    status: random.pick(['New', 'Open', 'Closed', 'Containment Achieved']),
    security_compromise: random.pick(['Yes', 'No', 'Suspected', 'Unknown']),
    discovery_methods: [random.pick(['Agent Disclosure', 'External - Customer', 'Log Review', 'NIDS'])],
    victims: [organisation(cast)],
    affected_assets: [
      {
        type: 'affected-asset',
        asset_type: random.pick(['Server', 'Desktop', 'Database', 'Mail', 'Web application', 'Laptop'] as const),
        description: description(random),
        location_class: 'Internally-Located',
        management_class: 'Internally-Managed',
        ownership_class: 'Internally-Owned',
      },
    ],
  }),
  'exploit-target': (random, { firstSeen }) => ({
    vulnerabilities: [
      {
        type: 'vulnerability',
        cve_id: `CVE-${2018 + random.below(9)}-${9_000_000 + random.below(1_000_000)}`,
        cvss_score: { type: 'cvss-vector', base_score: `${3 + random.below(7)}.${random.below(10)}` },
        published_datetime: timeOf(firstSeen),
        affected_software: [random.prefer(PLATFORMS)],
        is_publicly_acknowledged: random.chance(80),
      },
    ],
    weaknesses: [{ type: 'weakness', cwe_id: `CWE-${1 + random.below(1400)}` }],
  }),
  'course-of-action': (random) => ({
    coa_type: random.prefer(COUNTERMEASURES),
    stage: random.pick(['Remedy', 'Response']),
    cost: level(random),
    efficacy: level(random),
    impact: level(random),
    objective: { description: `Protect ${description(random)}.`, applicability_confidence: level(random) },
  }),
  identity: (random, { sector, organisation: name }) => ({
    identity_class: random.pick(['organization', 'organization', 'group', 'individual']),
    sectors: [sector],
    roles: [random.pick(['victim', 'partner', 'supplier', 'customer'])],
    contact_information: `Security desk of ${name}, security@${name.toLowerCase().replaceAll(' ', '-')}.example`,
  }),
  'malware-analysis': (random, { written, malware }) => ({
    product: random.pick(['sandbox', 'static-analyser', 'emulator', 'scanner']),
    version: version(random),
    analysis_engine_version: version(random),
    submitted: timeOf(written - 2 * HOUR),
    analysis_started: timeOf(written - HOUR),
    analysis_ended: timeOf(written - random.below(HOUR)),
    result: random.pick(['malicious', 'malicious', 'suspicious', 'benign', 'unknown']),
    result_name: malware,
  }),
  note: (random, { actor, malware }) => ({
    abstract: `${actor} and ${malware}`,
    content: `Somebody should compare ${description(random)} with ${description(random)}.`,
    authors: [random.pick(['a.visser', 'm.jansen', 's.okafor', 'l.moreau', 'k.nowak'])],
  }),
  location: (random, { country }) => ({
    country,
    region: random.pick(['northern-europe', 'western-europe', 'eastern-asia', 'south-america', 'western-africa']),
    latitude: random.below(18_001) / 100 - 90,
    longitude: random.below(36_001) / 100 - 180,
    precision: 100 * (1 + random.below(50)),
  }),
  'custom-entity': (random, { sector }) => ({
    custom_entity_type: random.pick(definitions).type,
    confidence: { type: 'confidence', value: random.prefer(IMPACTS) },
    custom_attributes: { sector, owner: random.prefer(NOUNS), score: random.below(100) },
  }),
} as const satisfies Record<string, Details>
