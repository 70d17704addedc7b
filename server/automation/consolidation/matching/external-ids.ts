import { isRecord } from '../../../domain/record.ts'
import { splitTitle } from './names.ts'

type Data = Readonly<Record<string, unknown>>

/** An identifier of a public catalogue. */
export interface Identifier {
  readonly scheme: 'attack' | 'cve' | 'malpedia' | 'misp'
  readonly value: string
}

/**
 * The identifiers by which public catalogues know an entity. References also cite other things: only those count that name a catalogue and
 * an identifier of a form that the catalogue has for this type. An entity with several identifiers of one scheme does not say which one it
 * is, and has none; for CVE, the whole set is the identifier.
 */
export function identifiersOf(type: string, data: Data): Identifier[] {
  if (type === 'exploit-target') return cvesOf(data)
  const references = referencesOf(data)
  return [
    ...only('attack', attackIdsOf(type, data, references)),
    ...only('malpedia', malpediaIdsOf(type, data, references)),
    ...only('misp', clusterIdsOf(references)),
  ]
}

function only(scheme: Identifier['scheme'], values: readonly string[]): Identifier[] {
  const [value, ...others] = new Set(values)
  return value === undefined || others.length > 0 ? [] : [{ scheme, value }]
}

interface Reference {
  /** In lower case. */
  readonly source: string
  readonly id: string
  readonly url: string
}

const referencesOf = (data: Data): Reference[] =>
  (Array.isArray(data.external_references) ? data.external_references : []).filter(isRecord).map((reference) => ({
    source: textOf(reference.source_name).toLowerCase(),
    id: textOf(reference.external_id),
    url: textOf(reference.url),
  }))

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

const ATTACK_SOURCE = /^mitre(?:-(?:pre|mobile|ics|enterprise))?-attack$/

/** The ATT&CK ids that entities of a type can have. Others continue them with ids of their own, from 3000 on. */
const ATTACK_IDS: Readonly<Record<string, RegExp>> = {
  'intrusion-set': /^G[0-2]\d{3}$/,
  malware: /^S[0-2]\d{3}$/,
  'threat-actor': /^G[0-2]\d{3}$/,
  tool: /^S[0-2]\d{3}$/,
}

function attackIdsOf(type: string, data: Data, references: readonly Reference[]): string[] {
  const form = ATTACK_IDS[type]
  // Some ids of withdrawn catalogues were given to other things.
  if (!form || data.x_mitre_deprecated === true) return []
  const cited = references.filter(({ source }) => ATTACK_SOURCE.test(source)).map(({ id }) => id)
  const { type: galaxy, meta } = galaxyOf(data)
  const listed = galaxy.startsWith('mitre-') ? [meta.external_id] : [meta.group_attack_id]
  const titled = splitTitle(textOf(data.title)).attackId
  return [...cited, ...listed, titled].map(textOf).filter((id) => form.test(id))
}

/** The MISP galaxy that an entity was read from, and the properties of its cluster there. */
export function galaxyOf(data: Data): { readonly type: string; readonly meta: Data } {
  const galaxy = isRecord(data.x_misp_galaxy) ? data.x_misp_galaxy : {}
  return { type: textOf(galaxy.type), meta: isRecord(galaxy.meta) ? galaxy.meta : {} }
}

const MALPEDIA_FAMILY = /^[a-z0-9]+\.[a-z0-9_.-]+$/
const MALPEDIA_ACTOR = /^[a-z0-9_-]+$/
const MALPEDIA_PAGE = /^https:\/\/malpedia\.caad\.fkie\.fraunhofer\.de\/(details|actor)\/([a-z0-9_.-]+)\/?$/

function malpediaIdsOf(type: string, data: Data, references: readonly Reference[]): string[] {
  const isSoftware = type === 'malware' || type === 'tool'
  if (!isSoftware && type !== 'intrusion-set' && type !== 'threat-actor') return []
  const form = isSoftware ? MALPEDIA_FAMILY : MALPEDIA_ACTOR
  // Clusters of its own galaxy refer to their page first; others cite it as one of many pages.
  const isOwnGalaxy = galaxyOf(data).type === 'malpedia'
  return references.flatMap(({ source, id, url }) => {
    if (source !== 'malpedia' && !isOwnGalaxy) return []
    const [, section, page = ''] = MALPEDIA_PAGE.exec(url) ?? []
    const paged = section === (isSoftware ? 'details' : 'actor') ? page : ''
    const value = id === '' ? paged : id.toLowerCase()
    return form.test(value) ? [value] : []
  })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const clusterIdsOf = (references: readonly Reference[]): string[] =>
  references
    .filter(({ source }) => source === 'misp-galaxy')
    .map(({ id }) => id.toLowerCase())
    .filter((id) => UUID.test(id))

const CVE = /^CVE-\d{4}-\d{4,19}$/
const CVE_IN_TITLE = /\bCVE-\d{4}-\d{4,19}\b/g

function cvesOf(data: Data): Identifier[] {
  const vulnerabilities = Array.isArray(data.vulnerabilities) ? data.vulnerabilities.filter(isRecord) : []
  const named = [
    ...vulnerabilities.map((vulnerability) => textOf(vulnerability.cve_id)),
    ...referencesOf(data)
      .filter(({ source }) => source === 'cve')
      .map(({ id }) => id),
    ...(textOf(data.title).toUpperCase().match(CVE_IN_TITLE) ?? []),
  ]
  const cves = [...new Set(named.map((id) => id.toUpperCase()).filter((id) => CVE.test(id)))].sort()
  return cves.length === 0 ? [] : [{ scheme: 'cve', value: cves.join(', ') }]
}
