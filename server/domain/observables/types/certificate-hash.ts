import type { ObservableDefinition } from '../definition.ts'

export const certificateHash = {
  type: 'certificate-hash',
  form: 'the digest of a certificate: 32, 40, 56, 64, 96 or 128 hexadecimal digits, with colons or without',
  maximum: 400,
  normalise: fingerprintOf,
  examples: {
    good: [
      [Array.from({ length: 20 }, () => 'AB').join(':'), 'ab'.repeat(20)],
      ['C'.repeat(64), 'c'.repeat(64)],
      [Array.from({ length: 16 }, () => '0F').join(' '), '0f'.repeat(16)],
    ],
    bad: ['', 'ab', 'a'.repeat(63), 'g'.repeat(64), 'a'.repeat(66)],
  },
} as const satisfies ObservableDefinition

function fingerprintOf(text: string): string | undefined {
  const digits = text.replace(/[: -]/g, '').toLowerCase()
  return /^[\da-f]+$/.test(digits) && [32, 40, 56, 64, 96, 128].includes(digits.length) ? digits : undefined
}
