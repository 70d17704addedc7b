import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { OBSERVABLE_TYPES, type ObservableType, observableTypeOf } from '../../../../domain/observables/types.ts'
import { isRecord } from '../../../../domain/record.ts'
import { string } from '../../../../engine/field.ts'
import { attributesOf } from '../../../../formats/misp/attribute-types.ts'
import { baseAddress } from '../../../../settings/values.ts'
import { EnricherError, type EnricherFunction, type LookUp, type LookUpResult, type Subject } from '../../function.ts'
import { masked } from '../../lanes/masked.ts'
import { faultOfStatus, jsonOf } from '../answers.ts'
import { type MispModule, moduleOf } from './modules.ts'
import { readResults } from './read-results.ts'

/** The beginning of the names of functions that are modules of MISP. */
export const MISP_MODULE = 'misp-module:'
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/

const MAX_REASON_LENGTH = 500
const SET_UP =
  'Run a misp-modules server (https://github.com/MISP/misp-modules), list its network in CORVUS_ALLOWED_NETWORKS, and set its address in `url`. `GET {url}/modules` lists its modules and the options of each.'

const parameters = z.object({
  url: baseAddress().meta({
    title: 'Address',
    description: 'The address of the misp-modules server, usually with the port 6666.',
  }),
  config: z
    .record(string(1, 200), z.union([z.string().max(10_000), z.number(), z.boolean()]))
    .default({})
    .meta({
      title: 'Options of the module',
      description: 'By name, such as `{"apikey": "…"}`. Texts are stored encrypted and never returned.',
    }),
})

const TYPES = OBSERVABLE_TYPES.filter((type) => attributesOf(type).length > 0)

/** The module of MISP with a name; undefined if no module can have it. */
export const mispModule = (name: string): EnricherFunction | undefined =>
  NAME.test(name)
    ? {
        name: `${MISP_MODULE}${name}`,
        title: `MISP module ${name}`,
        description: 'Asks an expansion module of a misp-modules server, which may call services on the internet.',
        supportedTypes: TYPES,
        parameters,
        secrets: ['config'],
        limits: [],
        isRemote: true,
        requestsPerLookUp: 1,
        setUp: SET_UP,
        lookUp: (context, subject) => lookUp(name, context, subject),
      }
    : undefined

/** Modules that many servers have. Others are used by their names as well. */
export const mispModules: readonly EnricherFunction[] = [
  ...['circl_passivedns', 'circl_passivessl', 'cve', 'dbl_spamhaus', 'dns', 'geoip_country', 'hashlookup', 'ipasn'],
  ...['otx', 'rbl', 'reversedns', 'urlhaus', 'whois'],
].flatMap((name) => mispModule(name) ?? [])

async function lookUp(name: string, context: LookUp, subject: Subject): Promise<LookUpResult> {
  const { url, config } = parameters.parse(context.parameters)
  const module = await moduleOf(context, url, name)
  const type = attributesOf(observableTypeOf(subject.type) as ObservableType).find((each) =>
    module.inputs.includes(each),
  )
  if (type === undefined) {
    const taken = module.inputs.slice(0, 30).join(', ')
    return { state: 'SKIPPED', reason: `The module does not take ${subject.type}, only ${taken}.` }
  }
  const answer = await context.call({
    method: 'POST',
    url: `${url.replace(/\/$/, '')}/query`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ module: name, ...asked(module, type, valueFor(subject)), config }),
  })
  if (answer.status !== 200) throw faultOfStatus(answer)
  const parsed = jsonOf(answer.body)
  if (!isRecord(parsed)) throw new EnricherError('unreadable', 'The answer of the module is not a JSON object.')
  if (parsed.error !== undefined) return failed(parsed.error, config)
  return readResults(parsed.results, subject)
}

const asked = ({ isStandard }: MispModule, type: string, value: string) =>
  isStandard ? { attribute: { type, value, uuid: randomUUID() } } : { [type]: value }

/** MISP writes the numbers of autonomous systems without AS. */
const valueFor = ({ type, value }: Subject): string => (type === 'asn' ? value.replace(/^AS/, '') : value)

const NOTHING =
  /\b(no|not|nothing|empty|unknown|0)\b.{0,60}\b(results?|data|information|records?|found|match(es)?|entry|entries|exist)\b|\bnothing\b/i
const LIMITED = /\b(quota|rate.?limit|too many requests|limit (reached|exceeded))\b|\b429\b/i
const REFUSED =
  /\b(api.?key|unauthori[sz]ed|forbidden|credentials?|authenticat\w+|access denied|missing .{0,30}config\w*)\b|\b40[13]\b/i

/** Modules respond 200 with an error also if there is nothing to find. */
function failed(error: unknown, config: Readonly<Record<string, unknown>>): LookUpResult {
  const secrets = Object.values(config).filter((value) => typeof value === 'string')
  const text = masked(typeof error === 'string' ? error : JSON.stringify(error), secrets).slice(0, MAX_REASON_LENGTH)
  if (LIMITED.test(text)) throw new EnricherError('limited', `The module said: ${text}`)
  if (REFUSED.test(text)) throw new EnricherError('refused', `The module said: ${text}`)
  if (NOTHING.test(text)) return { state: 'EMPTY' }
  throw new EnricherError('unreadable', `The module said: ${text}`)
}
