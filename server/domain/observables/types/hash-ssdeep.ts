import type { ObservableDefinition } from '../definition.ts'
import { stixFile } from '../stix-object.ts'

export const hashSsdeep = {
  type: 'hash-ssdeep',
  label: 'ssdeep hash',
  form: 'an ssdeep hash such as 3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C, block size and two parts',
  maximum: 160,
  normalise: fuzzyOf,
  looks: [{ order: 150, test: /^\d{1,10}:[a-z\d+/]{3,64}:[a-z\d+/]{3,64}$/i }],
  isFileHash: true,
  stix: stixFile('SSDEEP'),
  misp: ['ssdeep', 'Payload delivery'],
  examples: {
    good: [
      ['3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C', '3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C'],
      ['3::', '3::'],
      [`196608:${'a'.repeat(64)}:B+/9`, `196608:${'a'.repeat(64)}:B+/9`],
    ],
    bad: ['', '3:a', '4:a:b', '0:a:b', '03:a:b', '3:a:b:c', `3:${'a'.repeat(65)}:b`, '3:a,b:c', 'd41d:a:b'],
  },
} as const satisfies ObservableDefinition

/** The parts are Base64 and tell cases apart; the block size is 3 doubled some times. */
function fuzzyOf(text: string): string | undefined {
  const [, size] = /^([1-9]\d{0,9}):[a-z\d+/]{0,64}:[a-z\d+/]{0,64}$/i.exec(text) ?? []
  return Number.isInteger(Math.log2(Number(size) / 3)) ? text : undefined
}
