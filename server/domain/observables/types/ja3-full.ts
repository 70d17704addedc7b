import type { ObservableDefinition } from '../definition.ts'
import { ja3Of } from '../ja3.ts'

export const ja3Full = {
  type: 'ja3-full',
  form: 'a JA3 string such as 771,4865-4866,0-23,29-23,0, five fields of numbers up to 65535',
  maximum: 8_192,
  normalise: (text) => ja3Of(text, 5),
  looks: [{ order: 290, test: /^\d{3,5},[\d-]*,[\d-]*,[\d-]*,[\d-]*$/ }],
  examples: {
    good: [
      ['771,4865-4866-49195,0-23-65281,29-23-24,0', '771,4865-4866-49195,0-23-65281,29-23-24,0'],
      ['769,47, , ,', '769,47,,,'],
    ],
    bad: [
      '',
      '771,4865',
      ',1,2,3,4',
      '771,65536,0,0,0',
      '771,1--2,0,0,0',
      '771,a,0,0,0',
      '771-770,1,2,3,4',
      '771,1,2,3,4,5',
    ],
  },
} as const satisfies ObservableDefinition
