import { isRecord } from '../../../../domain/record.ts'
import { parseTimestamp } from '../../../../domain/timestamp.ts'
import { isWebAddress } from '../../../../domain/web-address.ts'
import { listOf } from '../../../../formats/json/record.ts'
import { observableAmong } from '../../../../formats/observable-among.ts'
import type { Finding } from '../../function.ts'
import { contactsIn } from './contacts.ts'

type Json = Readonly<Record<string, unknown>>

const MAX_TEXT_LENGTH = 300
const NEW_DAYS = 30
const DAY_MS = 86_400_000
/** What registries write in place of a name. */
const REDACTED = /redacted|privacy|not disclosed|withheld|data protected|statutory masking/i

/** What a record says. `url` is where it was read. */
export function recordFindings(record: Json, url: string, now = Date.now()): Finding[] {
  const events = eventsIn(record)
  const registered = Date.parse(events.find(({ action }) => action === 'registration')?.date ?? '')
  const isNew = record.objectClassName === 'domain' && now - registered < NEW_DAYS * DAY_MS
  return [
    referenceOf(record, url, events),
    ...contactFindings(record),
    ...nameServerLinks(record),
    ...networkLinks(record),
    ...tagsOf(record),
    ...(isNew ? [tag('newly-registered')] : []),
  ]
}

const tag = (value: string): Finding => ({ kind: 'tag', value: value.slice(0, MAX_TEXT_LENGTH) })
const link = (relation: string, type: string, value: string): Finding => ({
  kind: 'link',
  relation,
  observable: { type, value: value.slice(0, MAX_TEXT_LENGTH) },
})

const textIn = (record: Json, name: string): string => {
  const value = record[name]
  return typeof value === 'string' ? value.trim().slice(0, MAX_TEXT_LENGTH) : ''
}

interface Event {
  readonly action: string
  readonly date: string
}

const eventsIn = (record: Json): Event[] =>
  listOf(record.events)
    .filter(isRecord)
    .map((event) => ({ action: textIn(event, 'eventAction'), date: textIn(event, 'eventDate') }))
    .filter(({ action, date }) => action !== '' && parseTimestamp(date) !== undefined)

function referenceOf(record: Json, url: string, events: readonly Event[]): Finding {
  const self = listOf(record.links)
    .filter(isRecord)
    .find((each) => each.rel === 'self' && isWebAddress(textIn(each, 'href')))
  const name = textIn(record, 'ldhName') || textIn(record, 'handle') || textIn(record, 'name')
  const dates = events.map(({ action, date }) => `${action} ${date.slice(0, 10)}`).join(', ')
  return {
    kind: 'reference',
    url: self ? textIn(self, 'href') : url,
    title: `RDAP record ${name}`.trim(),
    ...(dates !== '' && { description: `${dates[0]?.toUpperCase()}${dates.slice(1)}.` }),
  }
}

function contactFindings(record: Json): Finding[] {
  return contactsIn(record).flatMap(({ roles, name, emails }): Finding[] => {
    const isRedacted = REDACTED.test(name)
    const findings: Finding[] = []
    if (roles.includes('registrar') && name !== '') {
      findings.push(link('registered-by', 'registrar', name), tag(`registrar:${name}`))
    }
    if (roles.includes('registrant') && name !== '') {
      findings.push(isRedacted ? tag('registrant-redacted') : link('registered-to', 'organization', name))
    }
    if (roles.includes('abuse')) findings.push(...emails.map((email) => link('abuse-contact', 'email', email)))
    return findings
  })
}

const nameServerLinks = (record: Json): Finding[] =>
  listOf(record.nameservers)
    .filter(isRecord)
    .flatMap((server) => {
      const found = observableAmong(['domain', 'host'], textIn(server, 'ldhName'))
      return 'fault' in found ? [] : [link('name-server', found.type, found.value)]
    })

function networkLinks(record: Json): Finding[] {
  if (record.objectClassName !== 'ip network') return []
  const name = textIn(record, 'name')
  const networks = listOf(record.cidr0_cidrs)
    .filter(isRecord)
    .flatMap((network): Finding[] => {
      const { length } = network
      const prefix = textIn(network, 'v4prefix') || textIn(network, 'v6prefix')
      const found = observableAmong(['ipv4-cidr', 'ipv6-cidr'], typeof length === 'number' ? `${prefix}/${length}` : '')
      return 'fault' in found ? [] : [link('in-network', found.type, found.value)]
    })
  return [...networks, ...(name === '' ? [] : [link('in-network', 'netname', name)])]
}

function tagsOf(record: Json): Finding[] {
  const country = textIn(record, 'country').toUpperCase()
  const isSigned = isRecord(record.secureDNS) && record.secureDNS.delegationSigned === true
  const states = listOf(record.status).filter((state): state is string => typeof state === 'string')
  return [
    ...states.map((state) => tag(`rdap:${state.trim().toLowerCase().replaceAll(/\s+/g, '-')}`)),
    ...(/^[A-Z]{2}$/.test(country) ? [tag(`country:${country}`)] : []),
    ...(record.objectClassName === 'autnum' && textIn(record, 'name') !== ''
      ? [tag(`as-name:${textIn(record, 'name')}`)]
      : []),
    ...(isSigned ? [tag('dnssec')] : []),
  ]
}
