import { z } from 'zod'
import { parseTimestamp } from '../../../domain/timestamp.ts'
import { string } from '../../../engine/field.ts'
import { entityTypes } from '../../../intelligence/entities/entity-data.ts'
import { secretText, webAddress } from '../../../settings/values.ts'
import { EnricherError, type EnricherFunction, type Finding, MAX_FINDINGS } from '../function.ts'
import { faultOfStatus, jsonOf } from './answers.ts'

const parameters = z.object({
  url: webAddress().meta({ title: 'Address', description: 'Receives a POST request for each observable.' }),
  api_key: secretText(/^[!-~]*$/, 'must be characters without spaces').meta({
    title: 'API key',
    description: 'Sent as a bearer token.',
  }),
})

const subject = z.object({ type: string(1, 100), value: string(1, 65_536) })
const moment = string(1, 100)
  .transform((text, check) => {
    const time = parseTimestamp(text)
    if (time !== undefined) return time
    check.addIssue({ code: 'custom', message: 'must be a time' })
    return z.NEVER
  })
  .optional()

const finding = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('verdict'),
    maliciousness: z.enum(['safe', 'low', 'medium', 'high']),
    reason: string(0, 2000).optional(),
  }),
  z.object({
    kind: z.literal('link'),
    relation: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    observable: subject,
    first_seen: moment,
    last_seen: moment,
  }),
  z.object({
    kind: z.literal('entity'),
    type: z.enum(entityTypes),
    id: string(1, 500),
    title: string(1, 1000),
    description: string(0, 50_000).optional(),
    names: z.array(string(1, 500)).max(100).optional(),
    url: webAddress().optional(),
  }),
  z.object({ kind: z.literal('tag'), value: string(1, 500) }),
  z.object({ kind: z.literal('attack'), node: string(1, 100) }),
  z.object({
    kind: z.literal('reference'),
    url: webAddress(),
    title: string(0, 1000).optional(),
    description: string(0, 5000).optional(),
  }),
])

const findingsOf = z.object({ findings: z.array(z.unknown()) })

/** Asks a web service of the organisation itself, which answers with findings. */
export const ownService: EnricherFunction = {
  name: 'builtin:own_service',
  title: 'Own web service',
  description:
    'Sends each observable to your own web service as `{"type", "value"}`, and stores the findings with which it answers.',
  supportedTypes: [
    'ipv4',
    'ipv6',
    'domain',
    'host',
    'uri',
    'email',
    'hash-md5',
    'hash-sha1',
    'hash-sha256',
    'cve',
    'asn',
  ],
  parameters,
  secrets: ['api_key'],
  limits: [],
  isRemote: true,
  requestsPerLookUp: 1,
  setUp: null,
  lookUp: async ({ parameters: given, call }, { type, value }) => {
    const { url, api_key } = parameters.parse(given)
    const answer = await call({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        ...(api_key && { authorization: `Bearer ${api_key}` }),
      },
      body: JSON.stringify({ type, value }),
    })
    if (answer.status === 404) return { state: 'EMPTY' }
    if (answer.status < 200 || answer.status > 299) throw faultOfStatus(answer)
    return read(answer.body)
  },
}

function read(body: Buffer) {
  const parsed = findingsOf.safeParse(jsonOf(body))
  if (!parsed.success) throw new EnricherError('unreadable', 'The answer of the service has no list of findings.')
  const warnings: string[] = []
  const findings = parsed.data.findings.slice(0, MAX_FINDINGS).flatMap((each, i): Finding[] => {
    const { success, data } = finding.safeParse(each)
    if (!success) warnings.push(`Finding ${i} cannot be read.`)
    // Absent members are absent, not undefined.
    return success ? [JSON.parse(JSON.stringify(data)) as Finding] : []
  })
  const rest = parsed.data.findings.length - MAX_FINDINGS
  if (rest > 0) warnings.push(`${rest} further findings were left out.`)
  return findings.length + warnings.length === 0
    ? ({ state: 'EMPTY' } as const)
    : ({ state: 'FOUND', findings, warnings } as const)
}
