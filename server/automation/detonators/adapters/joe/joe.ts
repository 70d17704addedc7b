import { z } from 'zod'
import {
  type Adapter,
  type Analysis,
  type Call,
  DetonatorError,
  type DetonatorFault,
  MAX_REPORT_BYTES,
  type Progress,
  type VendorAnswer,
  type VendorRequest,
} from '../../adapter.ts'
import { addressOf, faultOf, isSuccess, shownSentence } from '../answers.ts'
import { countOf, digestOf, type Part, partOf, partsOf, readDocument, textOf, unreadable } from '../document.ts'
import { HOST_AND_FILE_TYPES } from '../extracts.ts'
import { apiKey, formOf, nameOption, optional, samplePassword, serverAddress, timeLimit } from '../form.ts'
import { reportOf } from './report.ts'

const parameters = z.object({
  url: serverAddress(
    'The address of the API: of Joe Sandbox Cloud, or of your own server, such as https://joe.example.org/joesandbox/index.php/api.',
  ).default('https://jbxcloud.joesecurity.org/api'),
  api_key: apiKey('From the settings of your account at Joe Sandbox.'),
  report: z
    .enum(['lightjsonfixed', 'jsonfixed', 'irjsonfixed'])
    .default('lightjsonfixed')
    .meta({
      title: 'Report',
      description: 'Which report is downloaded. The full one has more network traffic, and can be very large.',
      choices: ['Light report', 'Full report', 'Incident report'],
    }),
})

const options = z.object({
  system: optional(nameOption()).meta({
    title: 'System',
    description: 'The name of an analysis machine, such as w10x64. Without it, Joe Sandbox decides.',
  }),
  time: timeLimit(30, 'Joe Sandbox'),
  internet: optional(z.enum(['access', 'simulation', 'none'])).meta({
    title: 'Internet',
    description: 'Whether the sample can connect to the internet. Without it, the settings of the account apply.',
    choices: ['Access', 'Simulated', 'None'],
  }),
  country: optional(nameOption()).meta({
    title: 'Country',
    description: 'The country through which the sample connects to the internet.',
  }),
  archive_password: samplePassword('archive', 'For samples in an encrypted archive, such as infected.'),
  delete_after_days: optional(z.int().min(1).max(3650)).meta({
    title: 'Delete after',
    description: 'The days after which Joe Sandbox Cloud deletes sample and report.',
  }),
})

const SECRETS = ['api_key']
const gone = 'The analysis no longer exists at Joe Sandbox. Submit the sample again.'
/** The search also finds names and comments, so that each result has to be looked at. */
const MAX_CANDIDATES = 5

/** Joe Sandbox, in the cloud or on a server of one's own. */
export const joe: Adapter = {
  name: 'joe',
  title: 'Joe Sandbox',
  description: 'A sandbox in the cloud or on your own server, with detailed reports for many systems.',
  supportedTypes: ['file', 'url'],
  extractTypes: HOST_AND_FILE_TYPES,
  terms: [
    {
      id: 'joe-cloud',
      title: 'Joe Security receives samples',
      text:
        'Files and URLs, and before them the SHA-256 of files, are sent to Joe Security, or to your own server if the address is its. Its ' +
        'terms and conditions are accepted with each submission on your behalf. Analyses of Cloud Basic accounts are public; those of other ' +
        'accounts can be seen by the members of the account. Analysed URLs are not passed on for their reputation.',
      url: 'https://jbxcloud.joesecurity.org/resources/termsandconditions.pdf',
    },
  ],
  parameters,
  secrets: SECRETS,
  options,
  form: formOf(parameters, options),
  deadlineSeconds: 3 * 3600,
  check: async (call) => {
    const answer = await read(call, '/v2/server/online')
    if (answer.members.online === false)
      throw new DetonatorError('unavailable', 'Joe Sandbox is under maintenance. It is called again later.')
  },
  find: async (call, sample, given) => {
    const { internet, country, system, archive_password } = options.parse(given)
    if (sample.kind === 'url' || internet !== null || country !== null || archive_password !== null) return undefined
    const found = await post(call, '/v2/analysis/search', { q: sample.sha256 })
    const ids = partsOf(readDocument(found.body), 'data').flatMap((each) => numberIn(textOf(each, 'webid')) ?? [])
    for (const webid of ids.slice(0, MAX_CANDIDATES)) {
      const info = await read(call, '/v2/analysis/info', { webid })
      const isSame = textOf(info, 'status') === 'finished' && digestOf(info, 'sha256', 64) === sample.sha256
      if (isSame && (system === null || systemsIn(info).includes(system))) return analysisOf(call, webid)
    }
    return undefined
  },
  submit: async (call, sample, given) => {
    const fields = { ...submissionOf(options.parse(given)), ...(sample.kind === 'url' && { url: sample.url }) }
    const form = sample.kind === 'file' ? { fields, file: { field: 'sample', sample } } : { fields }
    const id = numberIn(textOf(await read(call, '/v2/submission/new', form.fields, form.file), 'submission_id'))
    if (id === undefined) throw unreadable('names no submission')
    return { id: `submission-${id}`, url: pageOf(call, `/submissions/${id}`) }
  },
  poll: async (call, analysis) => {
    const { kind, number } = idOf(analysis)
    const of = kind === 'analysis' ? { webid: number } : { submission_id: number }
    const answer = await send(call, `/v2/${kind}/info`, of)
    // An unknown id is an invalid parameter.
    if (answer.status === 404 || errorCode(answer) === 3) return { state: 'failed', reason: gone }
    const info = dataOf(call, answer)
    const status = textOf(info, 'status')
    if (status === null) throw unreadable('has no status')
    if (status !== 'finished') return { state: 'running', detail: status.slice(0, 100) }
    return kind === 'analysis' ? { state: 'finished' } : finishedOf(call, info)
  },
  report: async (call, analysis) => {
    const { kind, number } = idOf(analysis)
    if (kind !== 'analysis') throw unreadable('names a submission without an analysis')
    const info = await read(call, '/v2/analysis/info', { webid: number })
    const type = String(call.parameters.report)
    const { body } = await post(call, '/v2/analysis/download', { webid: number, type }, { mostBytes: MAX_REPORT_BYTES })
    return reportOf(info, readDocument(body), body)
  },
}

type FileOf = Exclude<VendorRequest['body'], string | undefined>['file']

/** Sends a form with the API key. Each call of Joe Sandbox is one. */
function send(
  call: Call,
  path: string,
  fields: Readonly<Record<string, string>> = {},
  { mostBytes, file }: { mostBytes?: number; file?: FileOf } = {},
): Promise<VendorAnswer> {
  const all = { apikey: String(call.parameters.api_key), ...fields }
  return call.send({
    method: 'POST',
    url: addressOf(call, path),
    ...(file
      ? { body: { fields: all, file } }
      : {
          body: new URLSearchParams(all).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
    ...(mostBytes !== undefined && { mostBytes }),
  })
}

async function post(...of: Parameters<typeof send>): Promise<VendorAnswer> {
  const answer = await send(...of)
  if (isSuccess(answer)) return answer
  throw faultIn(of[0], answer)
}

/** Sends a form and reads `data` of the answer. */
async function read(call: Call, path: string, fields?: Readonly<Record<string, string>>, file?: FileOf): Promise<Part> {
  return dataOf(call, await send(call, path, fields, file && { file }))
}

function dataOf(call: Call, answer: VendorAnswer): Part {
  if (!isSuccess(answer)) throw faultIn(call, answer)
  return partOf(readDocument(answer.body), 'data')
}

/** What the numbers of errors mean, which say more than the status. */
const FAULTS: Readonly<Record<number, DetonatorFault>> = {
  2: 'rejected',
  3: 'rejected',
  4: 'refused',
  5: 'unavailable',
  6: 'unavailable',
  7: 'refused',
}

function faultIn(call: Call, answer: VendorAnswer): DetonatorError {
  const fault = FAULTS[errorCode(answer) ?? 0]
  if (fault === undefined || answer.status === 429) return faultOf(answer, call, SECRETS)
  const [error] = errorsIn(answer)
  const said = shownSentence((error && textOf(error, 'message')) ?? '', call, SECRETS)
  return new DetonatorError(fault, `Joe Sandbox responded with ${answer.status}: ${said}`)
}

const errorCode = (answer: VendorAnswer): number | null => {
  const [error] = isSuccess(answer) ? [] : errorsIn(answer)
  return error ? countOf(error, 'code') : null
}

function errorsIn({ body }: VendorAnswer): Part[] {
  try {
    return partsOf(readDocument(body), 'errors')
  } catch {
    return []
  }
}

/** A submission is finished with an analysis, unless all its runs failed. */
function finishedOf(call: Call, info: Part): Progress {
  const analyses = partsOf(info, 'analyses')
  const relevant = textOf(partOf(info, 'most_relevant_analysis'), 'webid')
  const webid = numberIn(relevant ?? textOf(analyses[0] ?? info, 'webid'))
  const error = analyses.flatMap((each) => partsOf(each, 'runs')).flatMap((run) => textOf(run, 'error') ?? [])[0]
  if (webid !== undefined && relevant !== null) return { state: 'finished', analysis: analysisOf(call, webid) }
  if (webid !== undefined && error === undefined) return { state: 'finished', analysis: analysisOf(call, webid) }
  const said = error === undefined ? '' : ` ${shownSentence(error, call, SECRETS)}`
  return { state: 'failed', reason: `Joe Sandbox could not analyse the sample.${said}` }
}

const systemsIn = (info: Part): string[] => partsOf(info, 'runs').flatMap((run) => textOf(run, 'system') ?? [])

type Options = z.infer<typeof options>

const submissionOf = ({ system, time, internet, country, archive_password, delete_after_days }: Options) => ({
  'accept-tac': '1',
  'url-reputation': '0',
  ...(system !== null && { 'systems[]': system }),
  ...(time !== null && { 'analysis-time': String(time) }),
  ...(internet !== null && { 'internet-access': internet === 'access' ? '1' : '0' }),
  ...(internet !== null && internet !== 'access' && { 'internet-simulation': internet === 'simulation' ? '1' : '0' }),
  ...(country !== null && { 'localized-internet-country': country }),
  ...(archive_password !== null && { 'archive-password': archive_password }),
  ...(delete_after_days !== null && { 'delete-after-days': String(delete_after_days) }),
})

const numberIn = (text: string | null): string | undefined => (/^\d{1,15}$/.test(text ?? '') ? (text ?? '') : undefined)

/** Submissions and analyses are numbered separately, which the id of an analysis here tells apart. */
function idOf({ id }: Analysis): { readonly kind: 'submission' | 'analysis'; readonly number: string } {
  const [, kind, number = ''] = /^(submission|analysis)-(\d{1,15})$/.exec(id) ?? []
  if (kind === undefined || id.endsWith('\n')) throw unreadable('names an analysis whose id is none')
  return { kind: kind === 'analysis' ? 'analysis' : 'submission', number }
}

const analysisOf = (call: Call, webid: string): Analysis => ({
  id: `analysis-${webid}`,
  url: pageOf(call, `/analysis/${webid}`),
})

const pageOf = (call: Call, path: string): string => addressOf(call, '').replace(/\/api$/, '') + path
