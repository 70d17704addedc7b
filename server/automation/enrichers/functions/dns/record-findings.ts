import { isIP } from 'node:net'
import { observableAmong } from '../../../../formats/observable-among.ts'
import { isInternal, type RecordType } from '../../../../ports/outbound.ts'
import type { Finding } from '../../function.ts'

interface Read {
  readonly findings: Finding[]
  readonly warnings: string[]
}

const RELATIONS: Readonly<Record<RecordType, string>> = {
  A: 'resolves-to',
  AAAA: 'resolves-to',
  CNAME: 'alias-of',
  MX: 'mail-server',
  NS: 'name-server',
  PTR: 'reverse-resolves-to',
  TXT: 'allows-mail-from',
}

/** What the records of a type say. Of TXT records, only those that say who may send mail are read. */
export function recordFindings(type: RecordType, records: readonly string[]): Read {
  const values = type === 'TXT' ? records.flatMap(sendersIn) : records.map((record) => targetOf(type, record))
  const read: Read = { findings: [], warnings: [] }
  // A mail server without a name says that the domain takes no mail.
  if (type === 'MX' && values.includes('')) read.findings.push({ kind: 'tag', value: 'no-mail' })
  for (const value of values.filter((text) => text !== '')) {
    const found = observableAmong(['ipv4', 'ipv6', 'ipv4-cidr', 'ipv6-cidr', 'domain', 'host'], value)
    if ('fault' in found) {
      read.warnings.push(`A record ${type} was left out: '${value.slice(0, 200)}' is no name or address.`)
      continue
    }
    read.findings.push({ kind: 'link', relation: RELATIONS[type], observable: found })
    // Internal machines, sinkholes and attempts to reach into a network look like this.
    if (isIP(found.value) !== 0 && isInternal(found.value) && type !== 'TXT')
      read.findings.push({ kind: 'tag', value: 'private-address' })
  }
  return read
}

const targetOf = (type: RecordType, record: string): string =>
  (type === 'MX' ? record.replace(/^\d+ /, '') : record).replace(/\.$/, '').trim()

const SENDER = /^\+?(?:ip4:|ip6:|include:|a:|mx:|redirect=)([^%\s]{1,300})$/i

/** The networks and names in a policy such as `v=spf1 ip4:192.0.2.0/24 include:mail.example -all`. Names with macros are no names. */
function sendersIn(text: string): string[] {
  const [version = '', ...terms] = text.trim().split(/\s+/)
  if (version.toLowerCase() !== 'v=spf1') return []
  return terms.flatMap((term) => {
    const target = SENDER.exec(term)?.[1]
    if (target === undefined) return []
    // Of `a:` and `mx:`, the length of a prefix follows the name.
    return [/^\+?(a|mx):/i.test(term) ? (target.split('/')[0] ?? target) : target]
  })
}
