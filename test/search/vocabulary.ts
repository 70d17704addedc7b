/** Words of texts, the frequent ones first: with accents, without spaces between them, with punctuation inside, and keywords of the grammar. */
export const WORDS = [
  'amber',
  'Heron',
  'wave',
  'Zürich',
  'ÜBERFALL',
  'heron',
  'delta-force',
  'Straße',
  'ΣΊΣΥΦΟΣ',
  'σίσυφοσ',
  'İstanbul',
  '勒索软件',
  '42',
  '3.14',
  '203.0.113.7',
  'evil.example',
  'C++',
  'AND',
  'not',
  'TO',
  'foo_bar',
  "don't",
  '😀',
  'e\u0301tude',
  '𝒳ray',
  'v1.2.3',
  'a',
] as const

/** Separators between two words, mostly a space. */
export const GAPS = [' ', ' ', ' ', ' ', ' ', ', ', ' - ', '/', '... ', '\n'] as const

export const TYPES = ['campaign', 'threat-actor', 'malware', 'indicator', 'report', 'tool'] as const
export const COLOURS = [null, 'NONE', 'WHITE', 'CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const
export const CONFIDENCES = ['low', 'medium', 'high', 'unknown'] as const
export const RELIABILITIES = ['A', 'B', 'C', 'F'] as const
export const MALICIOUSNESS = ['unknown', 'safe', 'low', 'medium', 'high'] as const
export const HALF_LIVES = [1, 30, 182, 3650] as const

export const TAGS = [
  'phishing',
  'Phishing',
  'heron',
  'amber heron',
  'Zürich',
  'c2',
  'T1566',
  'level:high',
  '42',
  '*star*',
  'back\\slash',
  'quo"te',
  '勒索软件',
] as const

export const OBSERVABLES = [
  { type: 'domain', value: 'evil.example' },
  { type: 'domain', value: 'amber.example' },
  { type: 'ipv4', value: '203.0.113.7' },
  { type: 'ipv4', value: '203.0.113.77' },
  { type: 'email', value: 'heron@evil.example' },
  { type: 'uri', value: 'http://evil.example/a?b=c&d=1' },
  { type: 'handle', value: 'Amber' },
  { type: 'handle', value: 'heron' },
  { type: 'hash-md5', value: 'd41d8cd98f00b204e9800998ecf8427e' },
] as const

export const TAXONOMIES = ['Sector', 'Sector/Finance', 'Sector/Finance/Bank', 'region'] as const
export const ATTACKS = ['TA0001:T1566', 'TA0002:T1059.001', 'enterprise-attack'] as const

/** Dates and times in all spellings, close to each other and to the boundaries of units. */
export const DATES = [
  '2025-01-10',
  '2025-01-10T08:00:00Z',
  '2025-01-10T08:00:00.123456Z',
  '2025-01-10T08:00:00+02:00',
  '2025-01-10 08:00',
  '2025-01-31T23:59:59.999Z',
  '2025-02-01',
  '2024-12-31T23:30:00-01:00',
  '2024-02-29',
  '2023-12-31T23:59:59.999999Z',
] as const

/** Dates as they are written in queries. */
export const DATE_EXPRESSIONS = [
  '2025-01',
  '2025-02',
  '2024-12',
  '2025-01-10',
  '2025-01-31',
  '2025-02-01',
  '2024-02-29',
  '2020-01-01',
  '2040-01-01',
  '2025-01-10T08:00',
  '2025-01-10T08:00:00',
  '2025-01-10T08:00:00Z',
  '2025-01-10T06:00:00.000Z',
  '2025-01-10T08:00:00.123Z',
  '2025-01-10T08:00:00+02:00',
  '2025-01-31T23:59:59.999Z',
  'now',
  'now-7d',
  'now/d',
  'now/y',
  'now+1d',
  'now-1h',
  'now-1y/y',
  '2024-12-10||+1M/d',
  '2024-12-31||+2M',
  '2025-01-08||/w',
  '2025-01-10||/M',
  '2025-01-10||+8H',
  '2025-01-10||/y',
] as const

export const NUMBERS = [-3.5, -1, 0, 0.1, 0.5, 1, 2, 10, 42, 1234567.25, 1e21] as const

/** Numbers as they are written in queries, and texts that look like numbers. */
export const NUMBER_TEXTS = [
  '-3.5',
  '-1',
  '0',
  '0.1',
  '0.50',
  '+1',
  '2.0',
  '1e1',
  '42',
  '7',
  '1e3',
  '1234567.25',
  '.5',
] as const

const LONG = `long ${'and longer '.repeat(30)}`.trim()

/** Strings that are not texts: whole values, some of which look like something else. */
export const KEYWORDS = [
  'Amber',
  'amber',
  'amber heron',
  'Amber Heron',
  'ZÜRICH',
  'zürich',
  'ΣΊΣΥΦΟΣ',
  'İstanbul',
  '勒索软件',
  '😀',
  '\uffee',
  'true',
  '42',
  '2025',
  '2025-13-01',
  'a/b',
  'a\\b',
  'a*b?',
  'x"y',
  '%_',
  "it's",
  '0e8dd9a4-5a3c-4c5f-8a55-7b1b0d0f2a01',
  'malware--0e8dd9a4-5a3c-4c5f-8a55-7b1b0d0f2a02',
  LONG,
  `${LONG}!`,
] as const
