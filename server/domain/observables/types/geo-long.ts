import type { ObservableDefinition } from '../definition.ts'
import { degreesOf } from '../degrees.ts'

export const geoLong = {
  type: 'geo-long',
  form: 'a longitude in degrees such as 4.89, from -180 to 180',
  maximum: 40,
  normalise: (text) => degreesOf(text, 180),
  examples: {
    good: [
      ['4.89', '4.89'],
      ['-180.0', '-180'],
      ['100', '100'],
    ],
    bad: ['', '180.5', '-181', 'E4', '0x10'],
  },
} as const satisfies ObservableDefinition
