import { isIP } from 'node:net'
import type { Finding } from '../../function.ts'
import { numberIn, textIn } from './row-values.ts'
import { tableFunction } from './table-function.ts'

const NUMBER = ['autonomous_system_number', 'as_number', 'asn', 'AS_number', 'number']
const NAME = ['autonomous_system_organization', 'as_organization', 'as_description', 'as_name', 'organization', 'name']

/** The autonomous system that announces an address. */
export const asn = tableFunction({
  table: 'asn',
  title: 'Autonomous system',
  description: 'Finds the autonomous system and the network of an address.',
  supportedTypes: ['ipv4', 'ipv6'],
  load: 'Create the table `asn` with the format mmdb and load an ASN database such as GeoLite2 ASN or that of DB-IP. Or use the format csv with the columns start, end, as_number, country_code, as_description, the `key_column` start and the `end_column` end for ip2asn-combined.tsv.gz of https://iptoasn.com.',
  parameters: {},
  find: ({ rowsAround }, table, { value }) => rowsAround(table, value),
  read: ({ hits: [hit], subject }) => {
    const row = hit?.row ?? {}
    const number = numberIn(row, ...NUMBER) ?? numberOf(textIn(row, ...NUMBER))
    // 0 stands for addresses that no system announces.
    if (!number) return { findings: [] }
    const name = textIn(row, ...NAME)
    const findings: Finding[] = [
      { kind: 'link', relation: 'announced-by', observable: { type: 'asn', value: `AS${number}` } },
      { kind: 'tag', value: `as:${number}` },
    ]
    if (name !== undefined) findings.push({ kind: 'tag', value: `as-name:${name}` })
    const network = networkIn(hit?.key ?? '')
    if (network !== undefined)
      findings.push({
        kind: 'link',
        relation: 'in-network',
        observable: { type: `${subject.type}-cidr`, value: network },
      })
    return { findings }
  },
})

const numberOf = (text = ''): number | undefined => {
  const [, digits] = /^AS\s?(\d{1,10})$/i.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The network, unless it is a range that has no prefix, or everything. */
const networkIn = (key: string): string | undefined => {
  const [address = '', prefix] = key.split('/')
  return isIP(address) !== 0 && prefix !== undefined && prefix !== '0' ? key : undefined
}
