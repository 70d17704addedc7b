import { textIn } from './row-values.ts'
import { findAnyWay } from './subject-keys.ts'
import { tableFunction, verdictOn, verdictParameter } from './table-function.ts'

/** Values that are usually no sign of an attack, such as addresses of public resolvers. */
export const warningList = tableFunction({
  table: 'warning-list',
  title: 'MISP warning lists',
  description: 'Finds observables that are on warning lists, because they are usually no sign of an attack.',
  supportedTypes: [
    ...['ipv4', 'ipv6', 'domain', 'host', 'uri', 'email', 'hash-md5', 'hash-sha1', 'hash-sha256', 'hash-sha512'],
    ...['asn', 'file', 'user-agent', 'crypto-address', 'telephone'],
  ],
  load: 'Create the table `warning-list` with the format json and load a list.json of https://github.com/MISP/misp-warninglists/tree/main/lists, or a JSON list of several of them. Lists of the types string, hostname and cidr are supported.',
  parameters: { verdict: verdictParameter(null) },
  find: findAnyWay,
  read: ({ hits, subject, table, parameters: { verdict } }) => {
    // Only lists of hosts contain subdomains.
    const isMeant = ({ key, row }: (typeof hits)[number]) =>
      key === subject.value.toLowerCase() || textIn(row, 'type') !== 'string'
    const names = [...new Set(hits.filter(isMeant).map(({ row }) => textIn(row, 'list') ?? table))]
    if (names.length === 0) return { findings: [] }
    return {
      findings: [
        ...verdictOn(verdict, `On the warning list ${names.slice(0, 5).join(', ')}.`),
        ...names.map((name) => ({ kind: 'tag', value: `warning-list:${name}` }) as const),
      ],
    }
  },
})
