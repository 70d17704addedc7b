import { isRecord } from '../../../domain/record.ts'
import { textFrom } from '../../../domain/text-from.ts'
import type { Item } from '../../../engine/context.ts'
import { canonicalJson } from '../../../formats/stix2/canonical-json.ts'
import { markingColour } from '../../../formats/stix2/markings.ts'
import { foldCase } from '../../../search/words.ts'
import type { Choices, Contributor } from './contributor.ts'
import { type Bounds, extremeTime, type Found, firstOf, isEmpty, type Said, saidBy, unionOf } from './values.ts'

/** What a list in the data of a unified entity can have at most. */
const MAX_LIST: Bounds = { items: 10_000, bytes: 4 * 2 ** 20 }

/** Properties that are about the object of one contributor only: its life at its producer, and how its document spelled it. */
const OWN = new Set([
  'id',
  'type',
  'created',
  'modified',
  'created_by_ref',
  'revoked',
  'spec_version',
  'granular_markings',
  'stix',
])

/** Properties that mean nothing without another one come from the contributor that has that one. */
const LEADERS: Readonly<Record<string, string>> = {
  name: 'title',
  lang: 'title',
  description_structuring_format: 'description',
  pattern_type: 'pattern',
  pattern_version: 'pattern',
  longitude: 'latitude',
  precision: 'latitude',
}

const TIMES: Readonly<Record<string, 'earliest' | 'latest'>> = {
  first_seen: 'earliest',
  valid_from: 'earliest',
  last_seen: 'latest',
  valid_until: 'latest',
}

/** The member that identifies a record of a list: of several with the same one, the first contributor's is kept. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  vulnerabilities: ['cve_id'],
  weaknesses: ['cwe_id'],
  configurations: ['cce_id'],
  extracts: ['kind', 'value'],
}

/** The types that have other names, which are also found by the titles of all contributors. */
const NAMED = new Set(['infrastructure', 'intrusion-set', 'malware', 'threat-actor', 'tool'])

/** The data of a unified entity, property by property, from contributors in the order of precedence. */
export function composeData(contributors: readonly Contributor[], choices: Choices): Map<string, Found> {
  const names = new Set(contributors.flatMap(({ data }) => Object.keys(data)))
  const found = new Map<string, Found>()
  for (const name of [...names].filter((name) => !OWN.has(name)).sort()) {
    const value = composeProperty(name, contributors, choices)
    if (value) found.set(name, value)
  }
  if (!found.has('title')) found.set('title', blankTitle(contributors))
  addTitles(found, contributors)
  return found
}

function composeProperty(name: string, contributors: readonly Contributor[], choices: Choices): Found | undefined {
  const said = valuesOf(contributors, name)
  const leader = Object.hasOwn(LEADERS, name) ? LEADERS[name] : undefined
  const led = leader === undefined ? undefined : firstOf(valuesOf(contributors, leader), choices)
  if (led) {
    const value = said.find(({ by }) => by.id === led.origin.from[0])?.value
    return value === undefined ? undefined : { value, origin: led.origin }
  }
  const time = Object.hasOwn(TIMES, name) ? TIMES[name] : undefined
  return time ? extremeTime(said, time) : composeValue(name, said, choices)
}

const valuesOf = (contributors: readonly Contributor[], name: string): Said[] =>
  saidBy(contributors, ({ data }) => (Object.hasOwn(data, name) ? data[name] : undefined))

/** The union of lists; of all other values the first one. */
export function composeValue(name: string, said: readonly Said[], choices: Choices): Found | undefined {
  if (!Array.isArray(said[0]?.value)) return firstOf(said, choices)
  const lists = said.filter(({ value }) => Array.isArray(value))
  if (name === 'object_marking_refs') return withoutColours(lists)
  return unionOf(lists, MAX_LIST, keyOf(name))
}

function keyOf(name: string): ((item: unknown) => string) | undefined {
  if (name === 'aliases' || name === 'names') return nameKey
  const members = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined
  if (!members) return undefined
  return (item) => {
    const parts = members.map((member) => (isRecord(item) ? item[member] : undefined))
    return parts.some(isEmpty) ? canonicalJson(item) : parts.map((part) => foldCase(textFrom(part).trim())).join('\n')
  }
}

/** Names that differ only in case are one name. */
const nameKey = (name: unknown): string => (typeof name === 'string' ? foldCase(name.trim()) : canonicalJson(name))

/** Markings other than colours: the unified entity has a colour of its own. */
function withoutColours(said: readonly Said[]): Found | undefined {
  const others = said.map(({ by, value }) => ({
    by,
    value: (value as unknown[]).filter((id) => typeof id !== 'string' || !markingColour(id, () => undefined)),
  }))
  return unionOf(
    others.filter(({ value }) => value.length > 0),
    MAX_LIST,
  )
}

/** An entity has a title even if that is blank. */
const blankTitle = ([first]: readonly Contributor[]): Found => ({
  value: first?.data.title,
  origin: { from: first ? [first.id] : [], rule: 'stix_id' },
})

/** Adds the titles that did not become the title to the other names. */
function addTitles(found: Map<string, Found>, contributors: readonly Contributor[]): void {
  const [first] = contributors
  if (!first || !NAMED.has(first.type)) return
  const title = nameKey(found.get('title')?.value)
  const said = contributors.flatMap((by): Said[] => {
    const own = Array.isArray(by.data.aliases) ? (by.data.aliases as unknown[]) : []
    const titles = titlesOf(by).filter((name) => nameKey(name) !== title)
    return own.length + titles.length === 0 ? [] : [{ by, value: [...own, ...titles] }]
  })
  const union = unionOf(said, MAX_LIST, nameKey)
  if (union) found.set('aliases', union)
}

/** What a contributor is called: its own title, and the one that analysts gave it. */
export const titlesOf = ({ data, meta }: Contributor): string[] =>
  [data.title, meta.alias].filter((name): name is string => typeof name === 'string' && name.trim() !== '')

/** An object of the values of fields. */
export const asItem = (found: ReadonlyMap<string, Found>): Item =>
  Object.fromEntries([...found].map(([name, { value }]) => [name, value]))
