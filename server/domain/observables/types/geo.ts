import type { ObservableDefinition } from '../definition.ts'
import { degreesOf } from '../degrees.ts'

export const geo = {
  type: 'geo',
  form: 'a latitude and a longitude in degrees such as 52.37,4.89',
  maximum: 100,
  normalise: pointOf,
  looks: [{ order: 280, test: /^[+-]?\d{1,2}\.\d+\s?,\s?[+-]?\d{1,3}\.\d+$/ }],
  examples: {
    good: [
      ['52.37,4.89', '52.37,4.89'],
      ['+52.370 ; -04.8900', '52.37,-4.89'],
      ['geo:0 -0.0', '0,0'],
      ['-90,180', '-90,180'],
    ],
    bad: ['', '52.37', '52.37,4.89,1', '91,0', '0,181', 'a,b', ',', '52,37,4,89'],
  },
} as const satisfies ObservableDefinition

function pointOf(text: string): string | undefined {
  const [first = '', second = '', ...more] = text.replace(/^geo:/i, '').split(/\s*[,;]\s*|\s+/)
  const [latitude, longitude] = [degreesOf(first, 90), degreesOf(second, 180)]
  return latitude && longitude && more.length === 0 ? `${latitude},${longitude}` : undefined
}
