import type { ObservableDefinition } from '../definition.ts'
import { stixObject } from '../stix-object.ts'

export const certificateSerialNumber = {
  type: 'certificate-serial-number',
  form: 'the serial number of a certificate: digits or hexadecimal digits, with colons or without',
  maximum: 256,
  normalise: serialOf,
  stix: stixObject('x509-certificate', 'serial_number'),
  examples: {
    good: [
      ['00:D1:0a', 'd10a'],
      ['0x4E0', '04e0'],
      ['04 E0', '04e0'],
      ['123456789', '123456789'],
      ['00:00', '00'],
    ],
    bad: ['', '0x', 'xyz', '-1', `a${'0'.repeat(128)}`, '12:3g'],
  },
} as const satisfies ObservableDefinition

/**
 * Hexadecimal in whole octets without the zeros that only keep the sign. Bare decimal digits stay as they are,
 * because they could be decimal or hexadecimal.
 */
function serialOf(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text
  const digits = text.replace(/^0x/i, '').replace(/[: ]/g, '').toLowerCase()
  if (!/^[\da-f]+$/.test(digits) || digits.length > 128) return undefined
  const octets = digits.length % 2 === 0 ? digits : `0${digits}`
  return octets.replace(/^(?:00)+(?=..)/, '')
}
