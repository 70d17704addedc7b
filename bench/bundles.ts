import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** What a generated bundle is made of. */
export const BUNDLES = {
  /** Indicators, reports and actors with their relationships, and the cyber observables that some of them refer to. */
  mixed: mixedGroup,
  /** Cyber observables: a third named by observed data, a third by relationships, the rest by nothing. */
  observables: observablesGroup,
} as const

export type BundleKind = keyof typeof BUNDLES

type StixObject = { readonly type: string; readonly id: string; readonly [name: string]: unknown }

/**
 * Writes a STIX 2.1 bundle of about this size and returns its number of objects. The same arguments give the same
 * bundle.
 */
export async function writeBundle(path: string, kind: BundleKind, bytes: number): Promise<number> {
  let objects = 0
  const lines = function* () {
    yield `{"type": "bundle", "id": "${idOf('bundle', kind, bytes)}", "objects": [\n${JSON.stringify(VENDOR)}`
    objects++
    for (let group = 0, size = 0; size < bytes; group++) {
      const text = BUNDLES[kind](group)
        .map((object) => {
          objects++
          return `,\n${JSON.stringify(object)}`
        })
        .join('')
      size += text.length
      yield text
    }
    yield '\n]}\n'
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
  return objects
}

const GREEN = 'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da'
const AMBER = 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82'
const TIMES = { created: '2025-03-01T10:00:00.000Z', modified: '2025-03-02T10:00:00.000Z' }
const WORDS = 'loader beacon panel phishing invoice wallet implant tunnel dropper stealer ransom gate relay kit'.split(
  ' ',
)

/** A version 5 UUID derived from a text. */
function idOf(type: string, ...words: readonly (string | number)[]): string {
  const hex = createHash('sha1')
    .update([type, ...words].join('\n'))
    .digest('hex')
  return `${type}--${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const hexOf = (length: number, ...words: readonly (string | number)[]): string =>
  createHash('sha512').update(words.join('\n')).digest('hex').slice(0, length)

const VENDOR: StixObject = {
  type: 'identity',
  spec_version: '2.1',
  id: idOf('identity', 'vendor'),
  ...TIMES,
  name: 'Example vendor',
  identity_class: 'organization',
}

const sentence = (seed: number, length: number): string =>
  Array.from({ length }, (_, i) => WORDS[(seed * 7 + i * i * 3 + i) % WORDS.length]).join(' ')

const domain = (type: string, seed: string | number, rest: Record<string, unknown>): StixObject => ({
  type,
  spec_version: '2.1',
  id: idOf(type, seed),
  ...TIMES,
  created_by_ref: VENDOR.id,
  object_marking_refs: [GREEN],
  ...rest,
})

const relationship = (source: StixObject, relationship_type: string, target: StixObject): StixObject =>
  domain('relationship', `${source.id} ${relationship_type} ${target.id}`, {
    relationship_type,
    source_ref: source.id,
    target_ref: target.id,
  })

const cyber = (type: string, seed: number, rest: Record<string, unknown>): StixObject => ({
  type,
  spec_version: '2.1',
  id: idOf(type, seed),
  ...rest,
})

/** Cyber observables of five types, including a domain with the address it resolves to. */
function cyberObservables(seed: number): StixObject[] {
  const name = `${WORDS[seed % WORDS.length]}-${hexOf(10, seed)}`
  const address = cyber('ipv4-addr', seed, {
    value: [(seed % 190) + 11, (seed >> 8) & 255, (seed >> 16) & 255, (seed * 7) & 255].join('.'),
  })
  const digests = {
    MD5: hexOf(32, 'md5', seed),
    'SHA-1': hexOf(40, 'sha1', seed),
    'SHA-256': hexOf(64, 'sha256', seed),
  }
  return [
    address,
    cyber('domain-name', seed, { value: `${name}.example.com`, resolves_to_refs: [address.id] }),
    cyber('url', seed, { value: `https://${name}.example.com/${hexOf(24, 'path', seed)}/gate.php?id=${seed}` }),
    cyber('file', seed, { name: `${name}.exe`, size: 1000 + seed, hashes: digests, object_marking_refs: [AMBER] }),
    cyber('email-addr', seed, { value: `${name}@mail-${seed % 97}.example.net`, display_name: sentence(seed, 3) }),
  ]
}

const observed = (seed: string | number, refs: readonly StixObject[]): StixObject =>
  domain('observed-data', seed, {
    first_observed: TIMES.created,
    last_observed: TIMES.modified,
    number_observed: 3,
    object_refs: refs.map(({ id }) => id),
    object_marking_refs: [AMBER],
  })

function mixedGroup(group: number): StixObject[] {
  const observables = cyberObservables(group)
  const malware = domain('malware', group, {
    name: `${sentence(group, 2)} ${group}`,
    is_family: true,
    description: sentence(group, 120),
  })
  const actor = domain('threat-actor', group, { name: `Actor ${group}`, description: sentence(group + 1, 150) })
  const indicators = Array.from({ length: 6 }, (_, i) =>
    domain('indicator', group * 6 + i, {
      name: `${sentence(group + i, 3)} ${i}`,
      description: sentence(group * 6 + i, 60),
      pattern: `[domain-name:value = '${hexOf(12, 'pattern', group, i)}.example.org'] OR [ipv4-addr:value = '192.0.2.${i}']`,
      pattern_type: 'stix',
      valid_from: TIMES.created,
      labels: [WORDS[i % WORDS.length], WORDS[group % WORDS.length]],
    }),
  )
  const sightings = observed(group, observables.slice(0, 3))
  const [address = malware, , , file = malware] = observables
  const relations = [
    relationship(actor, 'uses', malware),
    ...indicators.map((indicator) => relationship(indicator, 'indicates', malware)),
    relationship(malware, 'downloads', file),
    relationship(malware, 'communicates-with', address),
  ]
  const report = domain('report', group, {
    name: `Report ${group}: ${sentence(group, 5)}`,
    description: sentence(group, 300),
    published: TIMES.created,
    object_refs: [malware, actor, sightings, ...indicators, ...relations].map(({ id }) => id),
  })
  return [report, ...relations, ...indicators, sightings, malware, actor, ...observables]
}

/**
 * Observed data and relationships precede the objects they refer to, and five of fifteen observables are not
 * referenced.
 */
function observablesGroup(group: number): StixObject[] {
  const [named = [], related = [], loose = []] = [0, 1, 2].map((i) => cyberObservables(group * 3 + i))
  const malware = domain('malware', `m${group}`, { name: `Family ${group}`, is_family: true })
  return [
    observed(`o${group}`, named),
    ...related.map((one) => relationship(malware, 'related-to', one)),
    malware,
    ...loose,
    ...related,
    ...named,
  ]
}
