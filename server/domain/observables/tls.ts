import { hexadecimal, type Rule } from './rule.ts'
import type { ObservableType } from './types.ts'

/** What is seen of encrypted connections: fingerprints of both sides, certificates, keys. */
export const tlsRules = {
  'ja3-hash': hexadecimal(32, 'a JA3 fingerprint'),
  'ja3s-hash': hexadecimal(32, 'a JA3S fingerprint'),
  'ja3-full': {
    form: 'a JA3 string such as 771,4865-4866,0-23,29-23,0, five fields of numbers up to 65535',
    maximum: 8_192,
    normalise: (text) => helloOf(text, 5),
  },
  'ja3s-full': {
    form: 'a JA3S string such as 771,4865,51-43, three fields of numbers up to 65535',
    maximum: 8_192,
    normalise: (text) => helloOf(text, 3),
  },
  jarm: hexadecimal(62, 'a JARM fingerprint'),
  'certificate-hash': {
    form: 'the digest of a certificate: 32, 40, 56, 64, 96 or 128 hexadecimal digits, with colons or without',
    maximum: 400,
    normalise: fingerprintOf,
  },
  'certificate-serial-number': {
    form: 'the serial number of a certificate: digits or hexadecimal digits, with colons or without',
    maximum: 256,
    normalise: serialOf,
  },
  'ssh-public-key': {
    form: 'a public key as OpenSSH writes it, such as ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…',
    maximum: 32_768,
    normalise: keyOf,
  },
} as const satisfies Partial<Record<ObservableType, Rule>>

function helloOf(text: string, count: number): string | undefined {
  const fields = text.replaceAll(' ', '').split(',')
  if (fields.length !== count || fields[0] === '' || fields[0]?.includes('-')) return undefined
  const numbers = fields.flatMap((field) => (field === '' ? [] : field.split('-')))
  const isNumber = (number: string) => /^(?:0|[1-9]\d{0,4})$/.test(number) && Number(number) <= 65_535
  return numbers.every(isNumber) ? fields.join(',') : undefined
}

function fingerprintOf(text: string): string | undefined {
  const digits = text.replace(/[: -]/g, '').toLowerCase()
  return /^[\da-f]+$/.test(digits) && [32, 40, 56, 64, 96, 128].includes(digits.length) ? digits : undefined
}

/**
 * Hexadecimal in whole octets without the zeros that only keep the sign. Bare decimal digits stay as they are, for
 * nobody can tell whether they count in ten or in sixteen.
 */
function serialOf(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text
  const digits = text.replace(/^0x/i, '').replace(/[: ]/g, '').toLowerCase()
  if (!/^[\da-f]+$/.test(digits) || digits.length > 128) return undefined
  const octets = digits.length % 2 === 0 ? digits : `0${digits}`
  return octets.replace(/^(?:00)+(?=..)/, '')
}

/** Algorithm and key without the comment, which anyone can change without changing the key. */
function keyOf(text: string): string | undefined {
  const [, algorithm, key = ''] =
    /^(?:([a-z\d][a-z\d@.-]{0,63})[ \t]+)?(AAAA[a-z\d+/]+={0,2})(?:[ \t]|$)/i.exec(text) ?? []
  const blob = Buffer.from(key, 'base64')
  // The key begins with the name of its own algorithm, after its length.
  if (blob.length < 4) return undefined
  const named = blob.toString('latin1', 4, 4 + Math.min(blob.readUInt32BE(0), 64))
  if (!/^(?:ssh-|ecdsa-sha2-|sk-)[a-z\d@.-]+$/.test(named) || (algorithm ?? named) !== named) return undefined
  return `${named} ${key}`
}
