import type { ObservableDefinition } from '../definition.ts'
import { ja3Of } from '../ja3.ts'

export const ja3sFull = {
  type: 'ja3s-full',
  form: 'a JA3S string such as 771,4865,51-43, three fields of numbers up to 65535',
  maximum: 8_192,
  normalise: (text) => ja3Of(text, 3),
  examples: {
    good: [
      ['771,49199,65281-0-11', '771,49199,65281-0-11'],
      ['771,49199,', '771,49199,'],
    ],
    bad: ['', '771,49199', '771,49199,0,0', 'x,1,2', '771,01,0'],
  },
} as const satisfies ObservableDefinition
