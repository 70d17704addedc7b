import type { ObservableDefinition } from '../definition.ts'
import { labelsOf, NAME } from '../names.ts'
import { stixObject } from '../stix-object.ts'

export const domain = {
  type: 'domain',
  form: 'a domain such as example.com, two or more labels and no address',
  maximum: 254,
  normalise: domainOf,
  plain: new RegExp(`^${NAME}$`),
  looks: [{ order: 370, test: /^[^\s/\\:@]{1,254}$/, sign: /.[.\u3002\uff0e\uff61](?:\p{L}{2}|xn--)/iu }],
  defanging: 'name',
  stix: stixObject('domain-name'),
  misp: ['domain', 'Network activity'],
  examples: {
    good: [
      ['Example.COM', 'example.com'],
      ['example.com.', 'example.com'],
      ['b\u00fccher.example', 'xn--bcher-kva.example'],
      ['example\u3002com', 'example.com'],
      ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
      ['_dmarc.example.com', '_dmarc.example.com'],
      ['-a-.example.com', '-a-.example.com'],
      ['example[.]com', 'example.com'],
      ['www(dot)example{.}com', 'www.example.com'],
      ['www\\.example^.com', 'www.example.com'],
      ['example.onion', 'example.onion'],
      ['example.\u0440\u0444', 'example.xn--p1ai'],
      [`${'a'.repeat(63)}.example.com`, `${'a'.repeat(63)}.example.com`],
    ],
    bad: [
      '',
      '.',
      'localhost',
      'example..com',
      '.example.com',
      'example.com..',
      'exa mple.com',
      '192.0.2.1',
      '\uff11.1.1.1',
      '2001:db8::1',
      'http://example.com',
      'example.com/path',
      '\u00fc.example.com/path',
      'example.com:80',
      '*.example.com',
      'a@example.com',
      '%65xample.com',
      'example.c_m',
      'example.1',
      'example.-',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(126)}com`,
    ],
  },
} as const satisfies ObservableDefinition

function domainOf(text: string): string | undefined {
  const labels = labelsOf(text)
  const isTopLevel = /^(?:[a-z]{2,}|xn--[a-z\d-]*[a-z\d])$/.test(labels?.at(-1) ?? '')
  return labels && labels.length > 1 && isTopLevel ? labels.join('.') : undefined
}
