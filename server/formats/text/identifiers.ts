import type { ObservableType } from '../../domain/observables/types.ts'
import { FREE, note, type Scan, spanOf, USED, use, usedAt } from './scan.ts'

const DASH = '[-_\\u2010-\\u2015\\u2212]'
const BASE58 = '[1-9A-HJ-NP-Za-km-z]'
const BECH32 = '[02-9ac-hj-np-z]'

interface Look {
  readonly type: ObservableType
  readonly pattern: RegExp
  /** Whether it is also searched for in the paths of URLs, where catalogues put it. */
  readonly isInPaths?: boolean
  /** Extracts the value if it is only part of the match. */
  readonly read?: (match: RegExpExecArray) => string | undefined
}

const look = (type: ObservableType, pattern: string, flags = 'g', rest: Omit<Look, 'type' | 'pattern'> = {}): Look => ({
  type,
  pattern: new RegExp(`(?<![A-Za-z\\d])(?:${pattern})(?![A-Za-z\\d])`, flags),
  ...rest,
})

const LOOKS: readonly Look[] = [
  look('cve', `CVE(?:${DASH}|: ?| )?(\\d{4})(?:${DASH}\\s{0,2}| )(\\d{4,19})`, 'gi', {
    isInPaths: true,
    read: ([, year, number]) => `CVE-${year}-${number}`,
  }),
  look('cwe', `CWE(?:${DASH}|: ?| )(\\d{1,5})`, 'gi', { isInPaths: true, read: ([, number]) => `CWE-${number}` }),
  look('cce', `CCE${DASH}\\d{1,12}${DASH}\\d`, 'gi'),
  look('asn', '(?:ASN[ :#-]{0,2}|AS[ :-]?)(\\d{2,10})', 'g', { read: ([, number]) => `AS${number}` }),
  look('asn', '(?:asn[ :#-]{0,2}|as(?=\\d{3}))(\\d{2,10})', 'g', { read: ([, number]) => `AS${number}` }),
  look('asn', 'autonomous[ -]system(?: number)?(?: \\(AS\\))?[ :#]{1,3}(\\d{1,10})', 'gi', {
    read: ([, number]) => `AS${number}`,
  }),
  look('crypto-address', '0x(?:[\\dA-Fa-f]{40}|[\\dA-Fa-f]{64})'),
  look('crypto-address', `(?:bc|tb|ltc)1${BECH32}{11,87}|(?:BC|TB|LTC)1[02-9AC-HJ-NP-Z]{11,87}`),
  look('crypto-address', `[13LMDTXrt]${BASE58}{24,33}`, 'g', { read: ([text]) => (isMixed(text) ? text : undefined) }),
  look('crypto-address', `[48][\\dAB]${BASE58}{93}(?:${BASE58}{11})?`),
  look('crypto-address', `bitcoincash:[qp]${BECH32}{41}|addr1${BECH32}{50,100}`),
  look('card', '[3-6]\\d{3}([ -]?)\\d{4}\\1\\d{4}\\1\\d{4}|3[47]\\d{2}[ -]?\\d{6}[ -]?\\d{5}', 'g', {
    read: ([text]) => (isCard(text.replace(/[ -]/g, '')) ? text : undefined),
  }),
  look('bank-account', '[A-Z]{2}\\d{2}(?: ?[A-Z\\d]{4}){2,7}(?: ?[A-Z\\d]{1,3})?', 'g', {
    read: ([text]) => (/\d{4}/.test(text.slice(4).replaceAll(' ', '')) ? text : undefined),
  }),
  look('telephone', '\\+[1-9]\\d{0,2}(?:[ .-]?\\(?\\d{1,4}\\)?){2,6}', 'g', {
    read: ([text]) => (text.replace(/\D/g, '').length >= 8 ? text : undefined),
  }),
  look('telephone', '\\+[1-9]\\d{7,14}'),
  look('telephone', 'tel:(\\+?\\d[\\d.-]{5,20})', 'gi', { read: ([, number]) => number }),
  look('ssh-public-key', '(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\\d{3}) AAAA[A-Za-z\\d+/]{20,16000}={0,2}'),
]

/** Finds catalogue numbers and values with a check digit or a checksum. */
export function findIdentifiers(scan: Scan): void {
  for (const { type, pattern, isInPaths, read } of LOOKS) {
    for (const match of scan.source.matchAll(pattern)) {
      const span = spanOf(match)
      const usage = usedAt(scan, span.start)
      if (usage === USED || (usage !== FREE && !isInPaths)) continue
      const value = read ? read(match) : match[0]
      if (value !== undefined && note(scan, type, value, span) !== undefined && usage === FREE) use(scan, span)
    }
  }
}

/** Verifying the checksum takes time, so plain words and numbers are not tried. */
const isMixed = (text: string): boolean => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)

/** Whether a number starts with a prefix of a major card network. */
const isCard = (digits: string): boolean =>
  digits.length === 15
    ? /^3[47]/.test(digits)
    : /^(?:4|5[1-5]|6011|64[4-9]|65|62|35[2-8]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/.test(digits)
