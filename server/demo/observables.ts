import type { ObservableType } from '../domain/observables/types.ts'
import { inventedWord, NAME_OCTAVES } from './names.ts'
import { type Random, randomOf, streams } from './random.ts'

/** An observable of an entity. */
export interface Observable {
  readonly type: ObservableType
  readonly value: string
}

type Maker = (random: Random) => string

// Values without an owner: private and benchmark networks, names below .example and .test, unassigned ids.
const KINDS: readonly (readonly [type: ObservableType, share: number, make: Maker])[] = [
  ['domain', 22, (random) => domainOf(random)],
  ['ipv4', 20, (random) => addressOf(random)],
  ['uri', 16, (random) => `${random.pick(['http', 'https'])}://${domainOf(random)}/${pathOf(random)}`],
  ['hash-sha256', 14, (random) => hexadecimal(random, 64)],
  ['hash-md5', 7, (random) => hexadecimal(random, 32)],
  ['hash-sha1', 5, (random) => hexadecimal(random, 40)],
  ['email', 5, (random) => `${wordOf(random)}.${wordOf(random)}${random.below(100)}@${domainOf(random)}`],
  [
    'file',
    3,
    (random) => `${wordOf(random)}_${random.below(10_000)}.${random.pick(['exe', 'dll', 'docm', 'iso', 'lnk'])}`,
  ],
  [
    'ipv6',
    2,
    (random) => `2001:db8:${Array.from({ length: 6 }, () => (1 + random.below(65_535)).toString(16)).join(':')}`,
  ],
  ['cve', 2, (random) => `CVE-${2018 + random.below(9)}-${9_000_000 + random.below(1_000_000)}`],
  ['asn', 1, (random) => `AS${4_200_000_000 + random.below(94_967_294)}`],
  ['host', 1, (random) => `${wordOf(random)}-${random.below(10_000)}.test`],
  ['mutex', 1, (random) => `Global\\${wordOf(random)}-${hexadecimal(random, 8)}`],
  ['user-account', 1, (random) => `${wordOf(random)}${random.below(100_000)}`],
]

/** One kind for each of a hundred cases. */
const CASES = KINDS.flatMap(([type, share, make]) => Array.from({ length: share }, () => ({ type, make })))

/** The observables that many entities share: 2^12 - 1 of each seed. */
const KNOWN_OCTAVES = 12
const KNOWN_PERCENT = 20

/** The three distinct observables of an entity; about a fifth are shared with other entities. */
export function observablesOf(seed: number, index: number): readonly [Observable, Observable, Observable] {
  const random = randomOf(seed, index, streams.observables)
  const first = observableOf(seed, random)
  const second = differentFrom([first], seed, random)
  return [first, second, differentFrom([first, second], seed, random)]
}

function observableOf(seed: number, random: Random): Observable {
  if (!random.chance(KNOWN_PERCENT)) return madeBy(random)
  return madeBy(randomOf(seed, random.rank(KNOWN_OCTAVES), streams.knownObservables))
}

function differentFrom(others: readonly Observable[], seed: number, random: Random): Observable {
  const found = observableOf(seed, random)
  const isTaken = others.some(({ type, value }) => type === found.type && value === found.value)
  return isTaken ? differentFrom(others, seed, random) : found
}

function madeBy(random: Random): Observable {
  const { type, make } = random.pick(CASES)
  return { type, value: make(random) }
}

const addressOf = (random: Random): string =>
  `${random.chance(5) ? `198.${18 + random.below(2)}` : `10.${random.below(256)}`}.${random.below(256)}.${random.below(256)}`

const wordOf = (random: Random): string => inventedWord(random.rank(NAME_OCTAVES))

const PURPOSES = [
  'login',
  'update',
  'mail',
  'cdn',
  'secure',
  'portal',
  'static',
  'files',
  'support',
  'api',
  'sso',
  'news',
]

const domainOf = (random: Random): string =>
  `${random.pick(PURPOSES)}${random.below(1000)}.${wordOf(random)}-${wordOf(random)}.${random.pick(['example', 'test'])}`

const FOLDERS = ['wp-content', 'images', 'assets', 'download', 'invoice', 'track', 'gate', 'panel', 'upload', 'js']

const pathOf = (random: Random): string =>
  `${random.pick(FOLDERS)}/${hexadecimal(random, 8)}${random.pick(['', '.php', '.js', '.zip', '?id=1'])}`

function hexadecimal(random: Random, length: number): string {
  let digits = ''
  while (digits.length < length) digits += random.next().toString(16).padStart(8, '0')
  return digits
}
