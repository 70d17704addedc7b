import type { ObservableDefinition } from '../definition.ts'
import { degreesOf } from '../degrees.ts'

export const geoLat = {
  type: 'geo-lat',
  form: 'a latitude in degrees such as 52.37, from -90 to 90',
  maximum: 40,
  normalise: (text) => degreesOf(text, 90),
  examples: {
    good: [
      ['52.3700', '52.37'],
      ['-0', '0'],
      ['+090.', '90'],
      ['\u22121.5\u00b0', '-1.5'],
    ],
    bad: ['', '90.1', '-90.00000000000000001', '91', '1e1', 'N 52', '1,5', 'NaN'],
  },
} as const satisfies ObservableDefinition
