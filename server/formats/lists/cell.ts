import { LOOKS } from '../../domain/observables/guess.ts'
import { normaliseObservable } from '../../domain/observables/normalise.ts'
import { refang } from '../../domain/observables/refang.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import { isRatherFile, isRelevantFile } from '../text/file-names.ts'
import { isOfOtherRoot, suffixOf } from '../text/suffixes.ts'

/** The observable in a cell, and additional information such as a port. */
export interface Value {
  readonly type: ObservableType
  readonly value: string
  /** Whether the value could be a file name as well as a host. */
  readonly isFileOrHost?: boolean
  readonly hasMore?: boolean
}

/** Types whose values cannot be confused with anything else. Phone numbers, card numbers and coordinates look like any number. */
const SURE: ReadonlySet<ObservableType> = new Set<ObservableType>([
  'ipv4',
  'ipv4-cidr',
  'mac-48',
  'eui-64',
  'ipv6',
  'ipv6-cidr',
  'inetnum',
  'hash-md5',
  'hash-sha1',
  'hash-sha224',
  'jarm',
  'hash-sha256',
  'hash-sha384',
  'hash-sha512',
  'hash-ssdeep',
  'cve',
  'winregistry',
  'user-agent',
  'email',
  'crypto-address',
])
const SURE_LOOKS = LOOKS.filter(({ type }) => SURE.has(type))

const MAX_CELL_LENGTH = 8_192

/** Returns the observable that makes up a whole cell; undefined if it is something else, or several. */
export function readValue(cell: string): Value | undefined {
  const given = bare(cell)
  if (given === '' || given.length > MAX_CELL_LENGTH) return undefined
  const text = refang(given)
  if (!/[.:\\\dA-Fa-f]/.test(text)) return undefined
  for (const { type, test } of SURE_LOOKS) {
    if (!test.test(text)) continue
    const found = as(type, given)
    if (found) return found
  }
  if (/^AS[N ]?\d{1,10}$/i.test(text)) return as('asn', text)
  if (/^[a-z][a-z\d+.-]{1,31}:\/\/\S+$/i.test(text)) return as('uri', /^h[x*]{2}p/i.test(given) ? text : given)
  if (/^(?:[a-z]:\\|\\\\[^\\]|%\w{2,40}%\\|~?\/[\w.-]+\/[^?]*$)/i.test(given)) return as('file', given)
  return nameIn(text) ?? hostAndMoreIn(text)
}

/** Removes quotes, angle brackets, invisible characters and list separators around a value. */
export const bare = (cell: string): string =>
  cell
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .trim()
    .replace(/^["'`\u2018\u201c<]{1,3}|["'`\u2019\u201d>,;]{1,3}$/g, '')
    .trim()

function as(type: ObservableType, text: string): Value | undefined {
  const read = normaliseObservable(type, text)
  return 'value' in read ? { type, value: read.value } : undefined
}

/** Reads a domain or a file name. `*.example.com` means the domain. */
function nameIn(text: string): Value | undefined {
  if (!/^[^\s/\\:@]{3,254}$/.test(text)) return undefined
  const name = text.replace(/^(?:\*\.|\.)/, '').replace(/\.$/, '')
  const labels = name.split('.')
  if (labels.length < 2) return undefined
  const { isPublic, suffix } = suffixOf(name.toLowerCase())
  const domain = isPublic || isOfOtherRoot(name.toLowerCase()) ? as('domain', name) : undefined
  if (domain) return isRatherFile(labels, suffix) ? { ...domain, isFileOrHost: true } : domain
  return isRelevantFile(labels) ? as('file', name) : undefined
}

/** Reads a host with a port or a path. The scheme is unknown, so only the host is used. */
function hostAndMoreIn(text: string): Value | undefined {
  const [, literal, plain = '', more = ''] =
    /^(?:\[([\da-f:.]{2,45})\]|([^\s/\\:@?[\]]{3,254}))((?::\d{1,5})?(?:[/?]\S{0,4000})?)$/i.exec(text) ?? []
  if (more === '') return undefined
  const host = literal === undefined ? (as('ipv4', plain) ?? nameIn(plain)) : as('ipv6', literal)
  return host && host.type !== 'file' ? { ...host, hasMore: true } : undefined
}
