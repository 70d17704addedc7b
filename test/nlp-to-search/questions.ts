import { all, answer, any, at, calendar, dates, has, is, last, not, op, type Said } from './conditions.ts'
import {
  ago,
  dayOf,
  daysFrom,
  equals,
  HOUR,
  holds,
  isIn,
  matches,
  monday,
  month,
  number,
  rank,
  type Seen,
  says,
  sure,
  tagged,
  uses,
  valuesAt,
} from './seen.ts'

/** A question, what a model says to it, and which entities of the demo data it means. */
export interface Question {
  readonly question: string
  readonly answer: Said
  readonly expected: (seen: Seen) => boolean
}

type Case = readonly [question: string, said: Said, expected: (seen: Seen) => boolean]

const years = (seen: Seen, path: string, ...wanted: readonly string[]) =>
  valuesAt(seen.data, path).some((value) => wanted.includes(dayOf(value).slice(0, 4)))
const day = (seen: Seen, path: string, test: (day: string) => boolean) =>
  valuesAt(seen.data, path).some((value) => test(dayOf(value)))
const observed = ({ meta }: Seen, test: (day: string) => boolean) =>
  Boolean(meta.estimated_observed_time) && test(dayOf(meta.estimated_observed_time))
const value = ({ observables }: Seen, test: (value: string) => boolean) =>
  observables.some((each) => test(each.value.toLowerCase()))
const anywhere = (seen: Seen, words: string) =>
  says(seen.title, words) || says(seen.text, words) || tagged(seen, words) || value(seen, (each) => each === words)

const TYPES: readonly Case[] = [
  ['all indicators', is('type', 'indicator'), ({ type }) => type === 'indicator'],
  ['show me the reports', is('type', 'Reports'), ({ type }) => type === 'report'],
  ['malware', is('type', 'malware'), ({ type }) => type === 'malware'],
  ['which campaigns are there', is('type', 'campaigns'), ({ type }) => type === 'campaign'],
  ['threat actors', is('type', 'Threat Actors'), ({ type }) => type === 'threat-actor'],
  ['list intrusion sets', is('type', 'intrusion sets'), ({ type }) => type === 'intrusion-set'],
  ['sightings', is('type', 'vendor_sighting'), ({ type }) => type === 'vendor-sighting'],
  ['incidents', is('type', 'incident'), ({ type }) => type === 'incident'],
  ['TTPs', is('type', 'TTPs'), ({ type }) => type === 'ttp'],
  ['attack patterns', is('data.type', 'attack pattern'), ({ type }) => type === 'attack-pattern'],
  [
    'tools and infrastructure',
    is('type', 'tools', 'infrastructure'),
    ({ type }) => ['tool', 'infrastructure'].includes(type),
  ],
  ['identities', is('type', 'identities'), ({ type }) => type === 'identity'],
  ['vulnerabilities that are targeted', is('type', 'exploit targets'), ({ type }) => type === 'exploit-target'],
  ['locations or notes', is('type', 'location', 'note'), ({ type }) => ['location', 'note'].includes(type)],
  ['everything but indicators', not(is('type', 'indicator')), ({ type }) => type !== 'indicator'],
  ['fraud cases', is('type', 'Fraud cases'), (seen) => equals(seen, 'custom_entity_type', 'fraud-case')],
  [
    'third parties and exposures',
    is('type', 'third parties', 'exposure'),
    (seen) => equals(seen, 'custom_entity_type', 'third-party', 'exposure'),
  ],
]

const TAGS: readonly Case[] = [
  ['tagged ransomware', is('tags', 'ransomware'), (seen) => tagged(seen, 'ransomware')],
  ['phishing or fraud', is('tags', 'phishing', 'fraud'), (seen) => tagged(seen, 'phishing', 'fraud')],
  ['credential theft', is('tags', 'Credential Theft'), (seen) => tagged(seen, 'credential-theft')],
  ['high priority things', is('meta.tags', 'high_priority'), (seen) => tagged(seen, 'high-priority')],
  ['not tagged malware', not(is('tags', 'malware')), (seen) => !tagged(seen, 'malware')],
  [
    'tags of sectors',
    op('tags', 'starts_with', 'sector:'),
    ({ tags }) => tags.some((tag) => tag.startsWith('sector:')),
  ],
  [
    'tags about actors',
    op('tags', 'starts_with', 'actor:'),
    ({ tags }) => tags.some((tag) => tag.startsWith('actor:')),
  ],
  [
    'tags that mention stealer',
    op('tags', 'contains', 'stealer'),
    ({ tags }) => tags.some((tag) => tag.includes('stealer')),
  ],
  ['tags with a chain', op('tags', 'contains', 'y-ch'), ({ tags }) => tags.some((tag) => tag.includes('y-ch'))],
  [
    'ransomware that is espionage',
    all(is('tags', 'ransomware'), is('tags', 'espionage')),
    (seen) => tagged(seen, 'ransomware') && tagged(seen, 'espionage'),
  ],
  [
    'botnet or c2 but not apt',
    all(is('tags', 'botnet', 'c2'), not(is('tags', 'apt'))),
    (seen) => tagged(seen, 'botnet', 'c2') && !tagged(seen, 'apt'),
  ],
  ['sector finance', is('tags', 'sector:finance'), (seen) => tagged(seen, 'sector:finance')],
]

const MARKS: readonly Case[] = [
  ['TLP red', is('meta.tlp_color', 'red'), (seen) => rank(seen) === 4],
  ['TLP:AMBER', is('meta.tlp_color', 'TLP:AMBER'), (seen) => rank(seen) === 3],
  ['clear or green', is('meta.tlp_color', 'clear', 'TLP:GREEN'), (seen) => rank(seen) === 1 || rank(seen) === 2],
  [
    'at most green',
    op('meta.tlp_color', 'at_most', 'GREEN'),
    ({ meta }) => ['NONE', 'WHITE', 'CLEAR', 'GREEN'].includes(meta.tlp_color),
  ],
  ['at least amber', op('meta.tlp_color', 'at_least', 'amber'), (seen) => rank(seen) >= 3],
  ['above green', op('meta.tlp_color', 'more_than', 'green'), (seen) => rank(seen) > 2],
  [
    'between white and amber',
    op('meta.tlp_color', 'between', 'white', 'amber'),
    (seen) => rank(seen) >= 1 && rank(seen) <= 3,
  ],
  ['amber strict', is('meta.tlp_color', 'TLP:AMBER+STRICT'), (seen) => rank(seen) === 4],
  ['reliable sources', is('meta.source_reliability', 'A'), ({ meta }) => meta.source_reliability === 'A'],
  [
    'sources that are B or better',
    op('meta.source_reliability', 'at_least', 'b'),
    ({ meta }) => 'AB'.includes(meta.source_reliability),
  ],
  [
    'worse than C',
    op('meta.source_reliability', 'less_than', 'C'),
    ({ meta }) => 'DEF'.includes(meta.source_reliability),
  ],
  ['high confidence', is('confidence', 'High'), (seen) => sure(seen, 'high')],
  ['at least medium confidence', op('confidence', 'at_least', 'medium'), (seen) => sure(seen, 'medium', 'high')],
  ['low or no confidence', is('data.confidence', 'low', 'none'), (seen) => sure(seen, 'low', 'none')],
  ['not sure at all', not(op('confidence', 'at_least', 'low')), (seen) => !sure(seen, 'low', 'medium', 'high')],
  ['finance by taxonomy', is('meta.taxonomy_paths', 'Finance'), (seen) => isIn(seen, 'Sector/Finance')],
  ['banking', is('meta.taxonomy_paths', 'sector/finance/banking'), (seen) => isIn(seen, 'Sector/Finance/Banking')],
  ['anything in Europe', is('meta.taxonomy_paths', 'region/europe'), (seen) => isIn(seen, 'Region/Europe')],
  ['any region', is('meta.taxonomy_paths', 'Region'), (seen) => isIn(seen, 'Region')],
  [
    'money or sabotage',
    is('meta.taxonomy_paths', 'Money', 'Sabotage'),
    (seen) => isIn(seen, 'Motive/Money') || isIn(seen, 'Motive/Sabotage'),
  ],
  [
    'north, of any continent',
    is('meta.taxonomy_paths', 'North'),
    (seen) => isIn(seen, 'Region/Europe/North') || isIn(seen, 'Region/Americas/North'),
  ],
  ['without a taxonomy', not(has('meta.taxonomy_paths')), ({ taxonomies }) => taxonomies.length === 0],
  ['from the default group', is('sources.name', 'default'), () => true],
  ['phishing by technique', is('meta.attacks', 'T1566'), (seen) => uses(seen, 'TA0001:T1566')],
  ['spearphishing attachment', is('meta.attacks', 't1566.001'), (seen) => uses(seen, 'TA0001:T1566.001')],
  [
    'initial access',
    is('meta.attacks', 'Initial Access'),
    (seen) => uses(seen, 'TA0001') || uses(seen, 'TA0027') || uses(seen, 'TA0108'),
  ],
  [
    'ransomware encryption',
    is('meta.attacks', 'Data Encrypted for Impact'),
    (seen) => uses(seen, 'TA0040:T1486') || uses(seen, 'TA0034:T1471'),
  ],
  ['powershell below execution', is('meta.attacks', 'TA0002:T1059.001'), (seen) => uses(seen, 'TA0002:T1059.001')],
  ['classified with anything', has('meta.attacks'), ({ attacks }) => attacks.length > 0],
]

const TEXTS: readonly Case[] = [
  ['titles with dropper', is('data.title', 'dropper'), ({ title }) => says(title, 'dropper')],
  [
    'titles with phishing page',
    op('data.title', 'contains', 'phishing page'),
    ({ title }) => says(title, 'phishing page'),
  ],
  [
    'titles that begin a word with oper',
    op('data.title', 'starts_with', 'oper'),
    ({ title }) => /(?<![\p{L}\p{N}])oper/iu.test(title),
  ],
  [
    'seen in operation',
    op('data.title', 'starts_with', 'seen in opera'),
    ({ title }) => says(title, 'seen') && says(title, 'in') && /(?<![\p{L}\p{N}])opera/iu.test(title),
  ],
  ['bank in the title', is('data.title', 'Bank'), ({ title }) => says(title, 'bank')],
  ['no bank in the title', not(is('data.title', 'Bank')), ({ title }) => !says(title, 'bank')],
  ['descriptions about Germany', is('data.description', 'Germany'), ({ text }) => says(text, 'germany')],
  ['described as signed driver', is('data.description', 'certificate'), ({ text }) => says(text, 'certificate')],
  ['an unpaid invoice', is('data.description', 'an unpaid invoice'), ({ text }) => says(text, 'an unpaid invoice')],
  ['in 2024 by description', op('data.description', 'contains', 'in 2024'), ({ text }) => says(text, 'in 2024')],
  [
    'finance or energy in the text',
    is('data.description', 'finance', 'energy'),
    ({ text }) => says(text, 'finance') || says(text, 'energy'),
  ],
  ['lateral movement', is('data.title', 'lateral movement'), ({ title }) => says(title, 'lateral movement')],
  [
    'weekly summaries',
    all(is('data.title', 'weekly summary'), is('type', 'report')),
    ({ title, type }) => says(title, 'weekly summary') && type === 'report',
  ],
  ['anything about ransomware', is('anywhere', 'ransomware'), (seen) => anywhere(seen, 'ransomware')],
  ['anything about botnet', is('anywhere', 'botnet'), (seen) => anywhere(seen, 'botnet')],
  ['anything on the Netherlands', is('anywhere', 'the Netherlands'), (seen) => anywhere(seen, 'the netherlands')],
  [
    'anything about Poland but no indicator',
    all(is('anywhere', 'Poland'), not(is('type', 'indicator'))),
    (seen) => anywhere(seen, 'poland') && seen.type !== 'indicator',
  ],
  [
    'wiper or webshell',
    any(is('anywhere', 'wiper'), is('anywhere', 'webshell')),
    (seen) => anywhere(seen, 'wiper') || anywhere(seen, 'webshell'),
  ],
]

const OBSERVABLES: readonly Case[] = [
  ['with a domain', is('extracts.kind', 'domains'), (seen) => holds(seen, 'domain')],
  ['with IPv4 addresses', is('extracts.kind', 'IPv4'), (seen) => holds(seen, 'ipv4')],
  ['with a CVE', is('extracts.kind', 'cve'), (seen) => holds(seen, 'cve')],
  [
    'with hashes',
    is('extracts.kind', 'hash md5', 'hash-sha1', 'hash_sha256'),
    (seen) => holds(seen, 'hash-md5') || holds(seen, 'hash-sha1') || holds(seen, 'hash-sha256'),
  ],
  ['without e-mail addresses', not(is('extracts.kind', 'email')), (seen) => !holds(seen, 'email')],
  [
    'with a URL and a domain',
    all(is('extracts.kind', 'uri'), is('extracts.kind', 'domain')),
    (seen) => holds(seen, 'uri') && holds(seen, 'domain'),
  ],
  [
    'domains below example',
    op('extracts.value', 'contains', '.example'),
    (seen) => value(seen, (each) => each.includes('.example')),
  ],
  [
    'addresses in 10.',
    op('extracts.value', 'starts_with', '10.'),
    (seen) => value(seen, (each) => each.startsWith('10.')),
  ],
  [
    'web panels',
    op('extracts.value', 'contains', '/panel/'),
    (seen) => value(seen, (each) => each.includes('/panel/')),
  ],
  [
    'defanged http',
    op('extracts.value', 'starts_with', 'hxxp://'),
    (seen) => value(seen, (each) => each.startsWith('http://')),
  ],
  ['DLLs', op('extracts.value', 'contains', '.dll'), (seen) => value(seen, (each) => each.includes('.dll'))],
  ['unknown maliciousness', is('extracts.meta.maliciousness', 'unknown'), ({ observables }) => observables.length > 0],
  ['at least medium malicious', op('extracts.meta.maliciousness', 'at_least', 'medium'), () => false],
  ['nothing bad', not(is('extracts.meta.classification', 'bad')), () => true],
]

const NUMBERS: readonly Case[] = [
  ['seen more than 100 times', op('data.count', 'more_than', '100'), (seen) => number(seen, 'count', (n) => n > 100)],
  ['count up to 10', op('data.count', 'at_most', '10'), (seen) => number(seen, 'count', (n) => n <= 10)],
  [
    'score from 0.2 to 0.5',
    op('data.x_score', 'between', '0.2', '0.5'),
    (seen) => number(seen, 'x_score', (n) => n >= 0.2 && n <= 0.5),
  ],
  ['risk of at least 0.9', op('data.x_risk', 'at_least', '0.9'), (seen) => number(seen, 'x_risk', (n) => n >= 0.9)],
  [
    'more than 1,000 hits',
    op('data.x_hit_count', 'more_than', '1,000'),
    (seen) => number(seen, 'x_hit_count', (n) => n > 1000),
  ],
  [
    'fewer than 5 alerts',
    op('data.x_alert_count', 'less_than', '5'),
    (seen) => number(seen, 'x_alert_count', (n) => n < 5),
  ],
  ['exactly one host', is('data.x_host_count', '1'), (seen) => number(seen, 'x_host_count', (n) => n === 1)],
  ['half life of a year or more', op('meta.half_life', 'at_least', '365'), ({ meta }) => meta.half_life >= 365],
  ['half life of 30 days', is('meta.half_life', '30'), ({ meta }) => meta.half_life === 30],
  ['short half life', op('meta.half_life', 'less_than', '30'), ({ meta }) => meta.half_life < 30],
  ['southern latitudes', op('data.latitude', 'less_than', '0'), (seen) => number(seen, 'latitude', (n) => n < 0)],
  [
    'between -90 and 45 degrees',
    op('data.latitude', 'between', '-90', '45'),
    (seen) => number(seen, 'latitude', (n) => n >= -90 && n <= 45),
  ],
  [
    'no false positives measured',
    not(has('data.x_false_positive_rate')),
    (seen) => !number(seen, 'x_false_positive_rate', () => true),
  ],
]

const KEYWORDS: readonly Case[] = [
  ['trojans', is('data.malware_types', 'trojan'), (seen) => equals(seen, 'malware_types', 'trojan')],
  [
    'ransomware or wipers by type',
    is('data.malware_types', 'ransomware', 'wiper'),
    (seen) => equals(seen, 'malware_types', 'ransomware', 'wiper'),
  ],
  [
    'written in Go or Rust',
    is('data.implementation_languages', 'go', 'rust'),
    (seen) => equals(seen, 'implementation_languages', 'go', 'rust'),
  ],
  [
    'written in C++',
    is('data.implementation_languages', 'C++'),
    (seen) => equals(seen, 'implementation_languages', 'c++'),
  ],
  ['evades antivirus', is('data.capabilities', 'evades-av'), (seen) => equals(seen, 'capabilities', 'evades-av')],
  [
    'steals something',
    op('data.capabilities', 'starts_with', 'steals-'),
    (seen) => matches(seen, 'capabilities', (text) => text.startsWith('steals-')),
  ],
  [
    'crime syndicates',
    is('data.threat_actor_types', 'crime-syndicate'),
    (seen) => equals(seen, 'threat_actor_types', 'crime-syndicate'),
  ],
  [
    'advanced or expert actors',
    is('data.sophistication', 'advanced', 'expert'),
    (seen) => equals(seen, 'sophistication', 'advanced', 'expert'),
  ],
  [
    'for gain',
    op('data.primary_motivation', 'contains', 'gain'),
    (seen) => matches(seen, 'primary_motivation', (text) => text.includes('gain')),
  ],
  [
    'ongoing campaigns',
    all(is('type', 'campaign'), is('data.status', 'Ongoing')),
    (seen) => seen.type === 'campaign' && equals(seen, 'status', 'Ongoing'),
  ],
  ['families', is('data.is_family', 'true'), (seen) => equals(seen, 'is_family', true)],
  [
    'in the delivery phase',
    is('data.kill_chain_phases.phase_name', 'delivery'),
    (seen) => equals(seen, 'kill_chain_phases.phase_name', 'delivery'),
  ],
  ['with high impact', is('data.likely_impact.value', 'high'), (seen) => equals(seen, 'likely_impact.value', 'high')],
  ['analysed by a.visser', is('data.x_analyst', 'a.visser'), (seen) => equals(seen, 'x_analyst', 'a.visser')],
  [
    'in review or triage',
    is('data.x_queue', 'review', 'triage'),
    (seen) => equals(seen, 'x_queue', 'review', 'triage'),
  ],
  [
    'not in Dutch',
    all(has('data.x_language'), not(is('data.x_language', 'nl'))),
    (seen) => valuesAt(seen.data, 'x_language').length > 0 && !equals(seen, 'x_language', 'nl'),
  ],
  [
    'tickets INC-1',
    op('data.x_ticket', 'starts_with', 'INC-1'),
    (seen) => matches(seen, 'x_ticket', (text) => text.startsWith('inc-1')),
  ],
  [
    'critical or high severity',
    is('data.x_severity', 'critical', 'high'),
    (seen) => equals(seen, 'x_severity', 'critical', 'high'),
  ],
  ['reviewed ones', is('data.x_is_reviewed', 'true'), (seen) => equals(seen, 'x_is_reviewed', true)],
  [
    'unauthorized access',
    is('data.categories', 'Unauthorized Access'),
    (seen) => equals(seen, 'categories', 'Unauthorized Access'),
  ],
  [
    'victims that are banks',
    op('data.victims.name', 'contains', ' bank'),
    (seen) => matches(seen, 'victims.name', (text) => text.includes(' bank')),
  ],
  [
    'patterns on domains',
    op('data.pattern', 'contains', '[domain-name:value'),
    (seen) => matches(seen, 'pattern', (text) => text.includes('[domain-name:value')),
  ],
  ['withdrawn', is('meta.is_withdrawn', 'yes'), () => false],
  ['not withdrawn', is('meta.is_withdrawn', 'no'), () => true],
]

const TIMES: readonly Case[] = [
  ['created in the last 24 hours', at('created_at', last(24, 'hour')), (seen) => ago(seen) <= 24 * HOUR],
  ['new in the last 7 days', at('created_at', last(7, 'day')), (seen) => ago(seen) <= 7 * 24 * HOUR],
  ['older than 30 days', at('created_at', last(30, 'day'), 'before'), (seen) => ago(seen) > 30 * 24 * HOUR],
  ['since two weeks', at('created_at', last(2, 'week'), 'after'), (seen) => ago(seen) <= 14 * 24 * HOUR],
  ['created today', at('created_at', calendar(0, 'day')), ({ created }) => dayOf(created) === dayOf(Date.now())],
  [
    'created yesterday',
    at('created_at', calendar(-1, 'day')),
    ({ created }) => dayOf(created) === daysFrom(dayOf(Date.now()), -1),
  ],
  [
    'last week',
    at('created_at', calendar(-1, 'week')),
    ({ created }) => dayOf(created) >= monday(-1) && dayOf(created) < monday(0),
  ],
  ['this week', at('created_at', calendar(0, 'week')), ({ created }) => dayOf(created) >= monday(0)],
  ['not this week', not(at('created_at', calendar(0, 'week'))), ({ created }) => dayOf(created) < monday(0)],
  ['last month', at('created_at', calendar(-1, 'month')), ({ created }) => dayOf(created).startsWith(month(-1))],
  [
    'until the month before last',
    at('created_at', calendar(-2, 'month'), 'at_most'),
    ({ created }) => dayOf(created).slice(0, 7) <= month(-2),
  ],
  [
    'since last month',
    at('created_at', calendar(-1, 'month'), 'at_least'),
    ({ created }) => dayOf(created).slice(0, 7) >= month(-1),
  ],
  ['after last week', at('created_at', calendar(-1, 'week'), 'after'), ({ created }) => dayOf(created) >= monday(0)],
  ['first seen in 2023', at('data.first_seen', dates('2023', '2023')), (seen) => years(seen, 'first_seen', '2023')],
  [
    'first seen in 2021 or 2022',
    at('data.first_seen', dates('2021', '2022')),
    (seen) => years(seen, 'first_seen', '2021', '2022'),
  ],
  [
    'last seen since 2025',
    at('data.last_seen', dates('2025', null)),
    (seen) => day(seen, 'last_seen', (each) => each >= '2025'),
  ],
  [
    'last seen before June 2021',
    op('data.last_seen', 'before', '2021-06'),
    (seen) => day(seen, 'last_seen', (each) => each < '2021-06'),
  ],
  [
    'valid from 2024 on',
    op('data.valid_from', 'at_least', '2024'),
    (seen) => day(seen, 'valid_from', (each) => each >= '2024'),
  ],
  [
    'valid after 2024',
    op('data.valid_from', 'after', '2024'),
    (seen) => day(seen, 'valid_from', (each) => each >= '2025'),
  ],
  [
    'expired by 2022',
    at('data.valid_until', dates(null, '2022-12-31')),
    (seen) => day(seen, 'valid_until', (each) => each < '2023'),
  ],
  [
    'published in March 2022',
    op('data.published', 'during', '2022-03'),
    (seen) => day(seen, 'published', (each) => each.startsWith('2022-03')),
  ],
  [
    'published between two days',
    op('data.published', 'between', '2021-05-01', '2023-04-30'),
    (seen) => day(seen, 'published', (each) => each >= '2021-05-01' && each <= '2023-04-30'),
  ],
  [
    'observed in 2020',
    at('meta.estimated_observed_time', dates('2020', '2020')),
    (seen) => observed(seen, (each) => each.startsWith('2020')),
  ],
  [
    'observed in the first quarter of 2024',
    at('meta.estimated_observed_time', dates('2024-01', '2024-03')),
    (seen) => observed(seen, (each) => each >= '2024-01-01' && each < '2024-04'),
  ],
  [
    'observed after 2025-06-01',
    op('meta.estimated_observed_time', 'after', '2025-06-01'),
    (seen) => observed(seen, (each) => each > '2025-06-01'),
  ],
  [
    'with an end of the threat',
    has('meta.estimated_threat_end_time'),
    ({ meta }) => Boolean(meta.estimated_threat_end_time),
  ],
]

const MIXED: readonly Case[] = [
  [
    'phishing indicators of last month',
    all(is('type', 'indicator'), is('tags', 'phishing'), at('created_at', calendar(-1, 'month'))),
    (seen) => seen.type === 'indicator' && tagged(seen, 'phishing') && dayOf(seen.created).startsWith(month(-1)),
  ],
  [
    'amber indicators with high confidence',
    all(is('type', 'indicators'), is('meta.tlp_color', 'amber'), is('confidence', 'high')),
    (seen) => seen.type === 'indicator' && rank(seen) === 3 && sure(seen, 'high'),
  ],
  [
    'reports or incidents about banks',
    all(is('type', 'report', 'incident'), is('data.title', 'bank')),
    (seen) => ['report', 'incident'].includes(seen.type) && says(seen.title, 'bank'),
  ],
  [
    'ransomware by tag or type',
    any(is('tags', 'ransomware'), is('data.malware_types', 'ransomware')),
    (seen) => tagged(seen, 'ransomware') || equals(seen, 'malware_types', 'ransomware'),
  ],
  [
    'red, or else reliable',
    any(is('meta.tlp_color', 'red'), all(is('meta.source_reliability', 'A'), not(is('type', 'indicator')))),
    (seen) => rank(seen) === 4 || (seen.meta.source_reliability === 'A' && seen.type !== 'indicator'),
  ],
  [
    'malware or anything not green',
    any(is('type', 'malware'), not(is('meta.tlp_color', 'green'))),
    (seen) => seen.type === 'malware' || rank(seen) !== 2,
  ],
  [
    'neither indicators nor reports',
    not(any(is('type', 'indicator'), is('type', 'report'))),
    (seen) => !['indicator', 'report'].includes(seen.type),
  ],
  [
    'not both phishing and fraud',
    not(all(is('tags', 'phishing'), is('tags', 'fraud'))),
    (seen) => !(tagged(seen, 'phishing') && tagged(seen, 'fraud')),
  ],
  [
    'indicators with domains but no addresses',
    all(is('type', 'indicator'), is('extracts.kind', 'domain'), not(is('extracts.kind', 'ipv4'))),
    (seen) => seen.type === 'indicator' && holds(seen, 'domain') && !holds(seen, 'ipv4'),
  ],
  [
    'initial access or impact in red',
    all(is('meta.attacks', 'TA0001', 'TA0040'), is('meta.tlp_color', 'red')),
    (seen) => (uses(seen, 'TA0001') || uses(seen, 'TA0040')) && rank(seen) === 4,
  ],
  [
    'three levels',
    all(
      is('type', 'indicator', 'malware'),
      any(is('tags', 'apt'), all(is('tags', 'malware'), not(is('tags', 'ransomware')))),
    ),
    (seen) =>
      ['indicator', 'malware'].includes(seen.type) &&
      (tagged(seen, 'apt') || (tagged(seen, 'malware') && !tagged(seen, 'ransomware'))),
  ],
]

/** Questions that are asked of the demo data. */
export const QUESTIONS: readonly Question[] = [TYPES, TAGS, MARKS, TEXTS, OBSERVABLES, NUMBERS, KEYWORDS, TIMES, MIXED]
  .flat()
  .map(([question, said, expected]) => ({ question, answer: answer(said), expected }))
