import { hostIn, parentsOf } from './subject-keys.ts'
import { tableFunction, verdictOn, verdictParameter } from './table-function.ts'

/** Domains of e-mail addresses that anyone gets for a short time. */
export const disposableMail = tableFunction({
  table: 'disposable-mail',
  title: 'Disposable mail domains',
  description: 'Finds domains of mail services with addresses for a short time.',
  supportedTypes: ['email', 'domain', 'host'],
  load: 'Create the table `disposable-mail` with the format list. One list is https://raw.githubusercontent.com/disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf.',
  parameters: { verdict: verdictParameter('low') },
  find: ({ rows }, table, subject) => rows(table, parentsOf(hostIn(subject) ?? subject.value)),
  read: ({ hits: [hit], parameters: { verdict } }) => ({
    findings: [
      ...verdictOn(verdict, `${hit?.key} offers disposable addresses.`),
      { kind: 'tag', value: 'disposable-mail' },
    ],
  }),
})
