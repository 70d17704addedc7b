import type { ObservableDefinition } from '../definition.ts'
import { hostOf, NAME } from '../names.ts'
import { stixObject } from '../stix-object.ts'

export const email = {
  type: 'email',
  label: 'email address',
  form: 'an e-mail address such as someone@example.com',
  maximum: 320,
  normalise: mailboxOf,
  plain: new RegExp(String.raw`^(?=[^@]{1,64}@)[a-z\d]+(?:[._-][a-z\d]+)*@${NAME}$`),
  looks: [{ order: 270, test: /^[^\s@]+@[^\s@]+$/ }],
  defanging: 'email',
  stix: stixObject('email-addr'),
  misp: ['email', 'Payload delivery'],
  examples: {
    good: [
      ['Some.One+Tag@Example.COM', 'some.one+tag@example.com'],
      ['someone[@]example[.]com', 'someone@example.com'],
      ['someone(at)example(dot)com', 'someone@example.com'],
      ['j\u00fcrgen@B\u00fccher.example', 'j\u00fcrgen@xn--bcher-kva.example'],
      ['root@localhost', 'root@localhost'],
      ['root@[192.0.2.1]', 'root@192.0.2.1'],
    ],
    bad: [
      '',
      'example.com',
      '@example.com',
      'someone@',
      'a@b@example.com',
      '.a@example.com',
      'a..b@example.com',
      'a.@example.com',
      'a b@example.com',
      'someone@example..com',
      'Someone <someone@example.com>',
      `${'a'.repeat(65)}@example.com`,
    ],
  },
} as const satisfies ObservableDefinition

/** All in lower case: the part before the @ may tell cases apart, but no provider does. */
function mailboxOf(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0)).normalize('NFC').toLowerCase().normalize('NFC')
  const isLocal = /^[\w!#$%&'*+/=?^`{|}~.\p{L}\p{M}\p{N}-]+$/u.test(local) && !/^\.|\.\.|\.$/.test(local)
  if (!isLocal || Buffer.byteLength(local) > 64) return undefined
  const host = hostOf(text.slice(at + 1).replace(/^\[([\d.]+)\]$/, '$1'))
  return host && `${local}@${host}`
}
