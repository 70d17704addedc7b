import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { DroppedFile, ExtractedValue } from '../adapter.ts'
import { knownHost } from './routine.ts'

type Judged = Omit<ExtractedValue, 'kind' | 'value'>

/** What is seen, without a judgement of the vendor. */
export const seen = (link_type: string): Judged => ({ classification: 'unknown', confidence: 'low', link_type })
/** What the vendor marks as malicious. */
export const marked = (link_type: string): Judged => ({ classification: 'bad', confidence: 'medium', link_type })
/** What the vendor marks as malicious, or what is only seen. */
export const judged = (isMarked: boolean, link_type: string): Judged => (isMarked ? marked : seen)(link_type)
/** What stands in the configuration that was extracted from the malware. */
export const CONFIGURED: Judged = { classification: 'bad', confidence: 'high', link_type: 'configured' }

/** Values of a report in the order in which they were found, each once. */
export interface Extracts {
  readonly values: Map<string, ExtractedValue>
  /** How often a further value was met when there were `MAX_VALUES`. */
  leftOut: number
}

/** Judging a million hosts would take seconds. The engine stores fewer: add those first that matter most. */
const MAX_VALUES = 20_000

/** The types of what `addHost`, `addUrl` and `addFile` add. */
export const HOST_AND_FILE_TYPES = ['ipv4', 'ipv6', 'domain', 'uri', 'hash-sha256', 'hash-sha1', 'hash-md5', 'file']

export const noExtracts = (): Extracts => ({ values: new Map(), leftOut: 0 })

export const extractsOf = ({ values }: Extracts): ExtractedValue[] => [...values.values()]

/** Warns if values were left out. */
export const leftOutOf = ({ leftOut }: Extracts): string[] =>
  leftOut === 0 ? [] : [`Only the first ${MAX_VALUES} values were read. ${leftOut} mentions of others were left out.`]

function isFull(extracts: Extracts): boolean {
  if (extracts.values.size < MAX_VALUES) return false
  extracts.leftOut++
  return true
}

const MAX_VALUE = 4000
const SCHEME = /^[a-z][a-z\d+.-]{1,20}:(?=\/\/)/i

/** Adds a value that is no host and no URL. The stronger judgement of one value counts. */
export function addValue(extracts: Extracts, kind: string, value: string | null, judgement: Judged): void {
  if (value === null || value === '' || value.length > MAX_VALUE) return
  const { values } = extracts
  const key = `${kind} ${value}`
  const known = values.get(key)
  if (!known && isFull(extracts)) return
  if (!known || strength(judgement) > strength(known)) values.set(key, { kind, value, ...judgement })
}

/** Adds a name or an address. What every machine contacts is never bad, and the network of the sandbox is left out. */
export function addHost(extracts: Extracts, host: string | null, judgement: Judged): void {
  if (host === null || isFull(extracts)) return
  const name = bareHost(host)
  const kind = kindOfHost(name)
  const known = kind && knownHost(name)
  if (kind && known !== 'own') addValue(extracts, kind, name, known ? unjudged(judgement) : judgement)
}

/**
 * Adds a URL, and its host with the same judgement. A URL at a host that every machine contacts is never bad; one at a host where
 * every user can store content may be, but not the host.
 */
export function addUrl(extracts: Extracts, url: string | null, judgement: Judged): void {
  if (url === null || url.length > MAX_VALUE || isFull(extracts)) return
  // Only hosts of the web are read in one way; in other schemes they could be spelled so that they are not recognised.
  const host = bareHost(URL.parse(url.replace(SCHEME, 'http:'))?.hostname ?? '')
  if (!kindOfHost(host)) return
  const known = knownHost(host)
  if (known === 'own') return
  addValue(extracts, 'uri', url, known === 'routine' ? unjudged(judgement) : judgement)
  addHost(extracts, host, judgement)
}

/** Adds what can be a URL, a host, or a host with a port, as configurations of malware have them. */
export function addEndpoint(extracts: Extracts, text: string, judgement: Judged): void {
  const endpoint = text.trim()
  if (endpoint.length > MAX_VALUE) return
  const path = endpoint.indexOf('/')
  if (SCHEME.test(endpoint)) addUrl(extracts, endpoint, judgement)
  else if (path > 0 && kindOfHost(bareHost(endpoint.slice(0, path)))) addUrl(extracts, `http://${endpoint}`, judgement)
  else addHost(extracts, endpoint, judgement)
}

/** Adds the digests and the name of a file. */
export function addFile(extracts: Extracts, file: DroppedFile, judgement: Judged): void {
  addValue(extracts, 'hash-sha256', file.sha256, judgement)
  addValue(extracts, 'hash-sha1', file.sha1, judgement)
  addValue(extracts, 'hash-md5', file.md5, judgement)
  // A name belongs to many files. One without an ending or a path was given by the sandbox.
  if (/[.\\/]/.test(file.name)) addValue(extracts, 'file', file.name, unjudged(judgement))
}

const unjudged = ({ link_type }: Judged): Judged => ({ classification: 'unknown', confidence: 'low', link_type })

const CLASSES = ['good', 'unknown', 'bad'] as const
const CONFIDENCES = ['low', 'medium', 'high'] as const

const strength = ({ classification, confidence }: Judged): number =>
  3 * CLASSES.indexOf(classification) + CONFIDENCES.indexOf(confidence)

/** A host without a port, brackets and the dot at its end, in the one spelling of its name. */
function bareHost(text: string): string {
  const [, bracketed] = /^\[([\da-f:.]{2,45})\](?::\d{1,5})?$/i.exec(text) ?? []
  if (bracketed !== undefined) return bracketed.toLowerCase()
  if (isIP(text) !== 0) return text.toLowerCase()
  const name = text.replace(/:\d{1,5}$/, '')
  if (isIP(name) !== 0) return name
  const ascii = domainToASCII(name)
  // As part of a URL, 1.2.3 would be an address; anywhere else it is a version.
  return isIP(ascii) === 0 ? ascii.replace(/\.$/, '') : ''
}

function kindOfHost(host: string): 'ipv4' | 'ipv6' | 'domain' | undefined {
  const family = isIP(host)
  if (family !== 0) return family === 4 ? 'ipv4' : 'ipv6'
  const isName = host.length <= 253 && /^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63}){1,20}$/.test(host)
  return isName && /\.(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/.test(host) ? 'domain' : undefined
}
