import { tableFunction, verdictOn, verdictParameter } from './table-function.ts'

/** Addresses from which the Tor network reaches other servers. */
export const torExits = tableFunction({
  table: 'tor-exits',
  title: 'Tor exit nodes',
  description: 'Finds addresses of Tor exit nodes.',
  supportedTypes: ['ipv4', 'ipv6'],
  load: 'Create the table `tor-exits` with the format list. The Tor Project publishes the addresses at https://check.torproject.org/torbulkexitlist.',
  parameters: { verdict: verdictParameter(null) },
  find: ({ rowsAround }, table, { value }) => rowsAround(table, value),
  read: ({ parameters: { verdict } }) => ({
    findings: [...verdictOn(verdict, 'A Tor exit node.'), { kind: 'tag', value: 'tor-exit' }],
  }),
})
