import { z } from 'zod'
import { isRecord } from '../../../../domain/record.ts'
import { baseAddress } from '../../../../settings/values.ts'
import {
  EnricherError,
  type EnricherFunction,
  type LookUp,
  type LookUpResult,
  type SourceAnswer,
} from '../../function.ts'
import { faultOfStatus, jsonOf, REFUSED } from '../answers.ts'
import { serverFor } from './bootstrap.ts'
import { queryOf } from './query.ts'
import { recordFindings } from './record-findings.ts'

const IANA = 'https://data.iana.org/rdap'
const MAX_REDIRECTS = 3
const REDIRECTS = [301, 302, 303, 307, 308]
const KINDS = new Set<unknown>(['domain', 'ip network', 'autnum'])

const parameters = z.object({
  server: baseAddress().nullable().default(null).meta({
    title: 'Server',
    description: 'A server for all look-ups, such as a proxy. Otherwise that of the registry is asked.',
  }),
  bootstrap_url: baseAddress().default(IANA).meta({
    title: 'List of servers',
    description: 'Where IANA lists the servers. It is read once a day, which counts as a call.',
  }),
})

/** Asks the registry of a name, an address or an autonomous system who registered it. */
export const rdap: EnricherFunction = {
  name: 'builtin:rdap',
  title: 'RDAP',
  description: 'Asks registries to whom a domain, an address or an autonomous system is registered, and since when.',
  supportedTypes: ['domain', 'host', 'ipv4', 'ipv6', 'ipv4-cidr', 'ipv6-cidr', 'asn'],
  parameters,
  secrets: [],
  limits: [],
  isRemote: true,
  requestsPerLookUp: 1,
  sourceUrls: {
    domain: `https://client.rdap.org/?type=domain&object=\${input}`,
    ipv4: `https://client.rdap.org/?type=ip&object=\${input}`,
    ipv6: `https://client.rdap.org/?type=ip&object=\${input}`,
  },
  setUp: null,
  lookUp: async (context, subject) => {
    const { server, bootstrap_url } = parameters.parse(context.parameters)
    const query = queryOf(subject)
    if (!query) return { state: 'SKIPPED', reason: `${subject.value.slice(0, 300)} is not a name that is registered.` }
    const base = server ?? (await serverFor(context, bootstrap_url, query))
    if (base === undefined) return { state: 'SKIPPED', reason: `IANA lists no RDAP server for ${query.key}.` }
    return ask(context, `${base.replace(/\/$/, '')}/${query.path}`)
  },
}

async function ask({ call }: LookUp, first: string): Promise<LookUpResult> {
  let url = first
  for (let redirects = 0; ; redirects++) {
    const answer = await call({ method: 'GET', url, headers: { accept: 'application/rdap+json, application/json' } })
    if (!REDIRECTS.includes(answer.status)) return read(answer, url)
    if (redirects === MAX_REDIRECTS) throw new EnricherError('unreadable', `More than ${MAX_REDIRECTS} redirects.`)
    url = next(answer, url)
  }
}

/** Where a redirect leads: to https, or to the server that was asked. */
function next({ headers }: SourceAnswer, from: string): string {
  const target = URL.parse(headers.location ?? '', from)
  const isAllowed = target?.protocol === 'https:' || (target && target.origin === new URL(from).origin)
  if (isAllowed) return target.href
  throw new EnricherError('unreadable', `${new URL(from).host} redirects to an address that is not https.`)
}

function read(answer: SourceAnswer, url: string): LookUpResult {
  if (answer.status === 404) return { state: 'EMPTY' }
  // One registry of many refuses: the others may still be asked.
  if (REFUSED.includes(answer.status))
    throw new EnricherError('unreadable', `${new URL(url).host} refuses the request (${answer.status}).`)
  if (answer.status !== 200) throw faultOfStatus(answer)
  const record = jsonOf(answer.body)
  if (!isRecord(record) || !KINDS.has(record.objectClassName))
    throw new EnricherError('unreadable', 'The answer of the server is not an RDAP record.')
  const findings = recordFindings(record, url)
  return { state: 'FOUND', findings: [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()] }
}
