import { isIbanLike } from './iban.ts'
import { refang } from './refang.ts'
import { LONGEST } from './rule.ts'
import type { ObservableType } from './types.ts'

/** What values of a type look like once they are refanged, the surest first. */
export const LOOKS: readonly (readonly [ObservableType, { test(text: string): boolean }])[] = [
  ['ipv4', /^[\d.]{7,15}$/],
  ['ipv4-cidr', /^[\d.]{7,15}\/\d{1,2}$/],
  ['mac-48', /^[\da-f]{2}(?:[:-][\da-f]{2}){5}$|^[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4}$/i],
  // Eight pairs could also be an IPv6 address, but none that anyone would write with all its zeros.
  ['eui-64', /^[\da-f]{2}(?:[:-][\da-f]{2}){7}$/i],
  ['ipv6', /^[\da-f:.]{2,45}$/i],
  ['ipv6-cidr', /^[\da-f:.]{2,45}\/\d{1,3}$/i],
  ['inetnum', /^[\da-f:.]{2,45}\s*[-\u2013]\s*[\da-f:.]{2,45}$/i],
  ['hash-md5', /^[\da-f]{32}$/i],
  ['hash-sha1', /^[\da-f]{40}$/i],
  ['hash-sha224', /^[\da-f]{56}$/i],
  ['jarm', /^[\da-f]{62}$/i],
  ['hash-sha256', /^[\da-f]{64}$/i],
  ['hash-sha384', /^[\da-f]{96}$/i],
  ['hash-sha512', /^[\da-f]{128}$/i],
  ['hash-ssdeep', /^\d{1,10}:[a-z\d+/]{3,64}:[a-z\d+/]{3,64}$/i],
  ['cve', /^CVE-/i],
  ['cwe', /^CWE-/i],
  ['cce', /^CCE-/i],
  ['asn', /^ASN? ?\d/i],
  ['winregistry', /^\\?(?:HK[A-Z_]{1,30}|REGISTRY):?\\/i],
  ['file', /^(?:[a-z]:\\|\\\\[^\\]|~?\/[^/\s])/i],
  ['snort', /^(?:alert|drop|log|pass|reject)\s+(?:dns|ftp|http|icmp|ip|smb|ssh|tcp|tls|udp)\s/],
  ['yara', /^(?:import\s+"|(?:(?:private|global)\s+){0,2}rule\s+\w+\s*[:{])/],
  ['ssh-public-key', /^(?:ssh-|ecdsa-|sk-)\S+\s+AAAA/],
  ['user-agent', /^Mozilla\/\d/],
  ['uri', /^(?:[a-z][a-z\d+.-]{1,31}:\/\/|(?:data|javascript|magnet|mailto|tel|urn):)/i],
  ['email', /^[^\s@]+@[^\s@]+$/],
  ['geo', /^[+-]?\d{1,2}\.\d+\s?,\s?[+-]?\d{1,3}\.\d+$/],
  ['ja3-full', /^\d{3,5},[\d-]*,[\d-]*,[\d-]*,[\d-]*$/],
  ['telephone', /^\+\d[\d\s().-]{6,30}$/],
  ['card', /^[3-6]\d{3}(?:[ -]?\d{2,6}){2,4}$/],
  ['bank-account', { test: (text) => text.length < 64 && isIbanLike(text.replaceAll(' ', '').toUpperCase()) }],
  ['crypto-address', /^(?:0x[\da-f]{40}|(?:bc|ltc|tb)1[a-z\d]{11,87}|[13LMDTr][1-9A-HJ-NP-Za-km-z]{24,33})$/i],
  // Names of programs and documents whose endings are no top-level domains.
  ['file', /^[^\s/\\:]{1,200}\.(?:apk|bat|bin|cfg|chm|class|cmd|conf|cpl|csv|dat|dll|dmg|docm?|docx|dotm|elf|exe)$/i],
  ['file', /^[^\s/\\:]{1,200}\.(?:gz|hta|htm|html|ini|iso|jar|jpe?g|js|jse|json|lnk|log|msi|ocx|odt|pdf|php|png)$/i],
  [
    'file',
    /^[^\s/\\:]{1,200}\.(?:pptm?|pptx|ps1|rar|rtf|scr|sys|tar|tmp|txt|vbe|vbs|vhdx?|wsf|xlam|xlsb?|xlsm|xlsx|xml)$/i,
  ],
  ['domain', /^[^\s/\\:@]{1,254}$/],
]

/** What shows without a check that a value is no mere word or number. */
const SIGNS: Partial<Record<ObservableType, RegExp>> = {
  domain: /.[.\u3002\uff0e\uff61](?:\p{L}{2}|xn--)/iu,
  ipv6: /:.*:/,
}

/** The type that a bare value looks like, though nothing of it is checked: for forms, while somebody types. */
export function looksLike(value: string): ObservableType | undefined {
  const given = value.trim()
  if (given === '' || given.length > LONGEST) return undefined
  const text = refang(given)
  const type = LOOKS.find(([, looks]) => looks.test(text))?.[0]
  return type && SIGNS[type]?.test(text) !== false ? type : undefined
}
