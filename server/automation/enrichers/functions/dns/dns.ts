import { z } from 'zod'
import { string } from '../../../../engine/field.ts'
import { RECORD_TYPES, type RecordType, type Resolved, readServer } from '../../../../ports/outbound.ts'
import {
  EnricherError,
  type EnricherFunction,
  type Finding,
  type LookUp,
  type LookUpResult,
  type Subject,
} from '../../function.ts'
import { recordFindings } from './record-findings.ts'
import { reverseName } from './reverse-name.ts'

const MAX_SERVERS = 5
const NAME_TYPES = RECORD_TYPES.filter((type) => type !== 'PTR')

const parameters = z.object({
  servers: z
    .array(
      string(1, 60).refine(
        (text) => readServer(text).address !== '',
        'must be the address of a name server such as 192.0.2.53 or [2001:db8::53]:5353',
      ),
    )
    .max(MAX_SERVERS)
    .default([])
    .meta({
      title: 'Name servers',
      description:
        'Addresses, each with an optional port. They must be public or in CORVUS_ALLOWED_NETWORKS. If there are none, those of the system are asked.',
    }),
  record_types: z
    .array(z.enum(NAME_TYPES as [RecordType, ...RecordType[]]))
    .min(1)
    .max(NAME_TYPES.length)
    .default([...NAME_TYPES])
    .meta({ title: 'Record types', description: 'What is asked for names. Each question counts as a call.' }),
})

/** Resolves names and addresses with name servers. */
export const dns: EnricherFunction = {
  name: 'builtin:dns',
  title: 'DNS',
  description:
    'Resolves names to addresses, mail and name servers, and addresses to names. The owner of a zone may see the questions.',
  supportedTypes: ['domain', 'host', 'ipv4', 'ipv6'],
  parameters,
  secrets: [],
  limits: [],
  isRemote: true,
  requestsPerLookUp: NAME_TYPES.length,
  setUp: null,
  lookUp: async (context, subject) => {
    const { servers, record_types } = parameters.parse(context.parameters)
    const reverse = reverseName(subject)
    return reverse === undefined
      ? findAll(context, subject, subject.value, [...new Set(record_types)], servers)
      : findAll(context, subject, reverse, ['PTR'], servers)
  },
}

async function findAll(
  { resolve }: LookUp,
  subject: Subject,
  name: string,
  types: readonly RecordType[],
  servers: readonly string[],
): Promise<LookUpResult> {
  const findings: Finding[] = []
  const warnings: string[] = []
  const outcomes: Resolved['outcome'][] = []
  for (const type of types) {
    const { outcome, records } = await resolve({ name, type, servers })
    outcomes.push(outcome)
    // There are no records of other types either.
    if (outcome === 'no-name') break
    if (outcome === 'failed') warnings.push(`The name servers of the zone do not answer for ${type}.`)
    const read = recordFindings(type, records)
    findings.push(...read.findings)
    warnings.push(...read.warnings)
  }
  if (outcomes.every((outcome) => outcome === 'failed'))
    throw new EnricherError('unreadable', `The name servers of ${subject.value.slice(0, 300)} do not answer properly.`)
  const distinct = [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
  return distinct.length + warnings.length === 0 ? { state: 'EMPTY' } : { state: 'FOUND', findings: distinct, warnings }
}
