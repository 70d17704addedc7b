import { z } from 'zod'
import { type Adapter, type Analysis, type Call, MAX_REPORT_BYTES, type VendorAnswer } from '../../adapter.ts'
import { addressOf, ask, faultOf, isSuccess, shownSentence } from '../answers.ts'
import { countOf, digestOf, type Part, partsOf, readDocument, textOf, unreadable } from '../document.ts'
import { HOST_AND_FILE_TYPES } from '../extracts.ts'
import { apiKey, formOf, optional, samplePassword, serverAddress } from '../form.ts'
import { reportOf } from './report.ts'

const parameters = z.object({
  url: serverAddress('The address of Hybrid Analysis, or of a Falcon Sandbox of your own.').default(
    'https://www.hybrid-analysis.com',
  ),
  api_key: apiKey('From your profile at Hybrid Analysis. A restricted key cannot submit samples.'),
})

const ENVIRONMENTS = {
  '160': 'Windows 10, 64-bit',
  '140': 'Windows 11, 64-bit',
  '120': 'Windows 7, 64-bit',
  '110': 'Windows 7, 32-bit, anti-evasion',
  '100': 'Windows 7, 32-bit',
  '310': 'Linux, 64-bit',
  '400': 'macOS, 64-bit',
  '200': 'Android, static analysis',
} as const

const options = z.object({
  environment: z
    .enum(Object.keys(ENVIRONMENTS) as [keyof typeof ENVIRONMENTS])
    .default('160')
    .meta({
      title: 'Environment',
      description: 'The system on which the sample runs.',
      choices: Object.values(ENVIRONMENTS),
    }),
  network: optional(z.enum(['default', 'tor', 'simulated'])).meta({
    title: 'Network',
    description: 'How the sample connects to the internet. Without it, Hybrid Analysis decides.',
    choices: ['Default', 'Tor', 'Simulated'],
  }),
  share_with_community: z.boolean().default(false).meta({
    title: 'Share with the community',
    description: 'Lets other users of Hybrid Analysis download the sample.',
  }),
  share_with_third_parties: z.boolean().default(false).meta({
    title: 'Share with third parties',
    description: 'Lets Hybrid Analysis pass the sample on, for example to antivirus vendors.',
  }),
  document_password: samplePassword('document', 'For encrypted documents.'),
})

const SECRETS = ['api_key']
const gone = 'The analysis no longer exists at Hybrid Analysis. Submit the sample again.'

/** Hybrid Analysis, the public service of CrowdStrike Falcon Sandbox. */
export const hybridAnalysis: Adapter = {
  name: 'hybrid_analysis',
  title: 'Hybrid Analysis',
  description: 'The free public service of the Falcon Sandbox of CrowdStrike.',
  supportedTypes: ['file', 'url'],
  extractTypes: HOST_AND_FILE_TYPES,
  terms: [
    {
      id: 'hybrid-analysis-public',
      title: 'CrowdStrike receives samples, and reports are public',
      text:
        'Files and URLs, and before them the SHA-256 of files, are sent to Hybrid Analysis, a service of CrowdStrike. Everyone can see the ' +
        'report with the name of the file, screenshots and network traffic. Other users can download the sample, and CrowdStrike passes it ' +
        'on, only if the options of the submission allow it.',
      url: 'https://www.hybrid-analysis.com/terms',
    },
  ],
  parameters,
  secrets: SECRETS,
  options,
  form: formOf(parameters, options),
  deadlineSeconds: 4 * 3600,
  check: async (call) => {
    readSuccess(call, await get(call, '/api/v2/key/current'))
  },
  find: async (call, sample, given) => {
    const { environment, network, document_password } = options.parse(given)
    if (sample.kind === 'url' || document_password !== null || (network ?? 'default') !== 'default') return undefined
    const answer = await get(call, `/api/v2/search/hash?hash=${encodeURIComponent(sample.sha256)}`)
    if (answer.status === 404) return undefined
    const document = readSuccess(call, answer)
    // Older servers answer with a list of summaries.
    const known = [...partsOf(document, 'reports'), ...partsOf(document, 'items')].find(
      (each) =>
        String(countOf(each, 'environment_id')) === environment &&
        (textOf(each, 'state') ?? 'SUCCESS') === 'SUCCESS' &&
        reportIdIn(each) !== undefined,
    )
    const id = known && reportIdIn(known)
    return id === undefined ? undefined : analysisOf(call, id, sample.sha256)
  },
  submit: async (call, sample, given) => {
    const { environment, network, share_with_community, share_with_third_parties, document_password } =
      options.parse(given)
    const fields = {
      ...(sample.kind === 'url' && { url: sample.url }),
      environment_id: environment,
      allow_community_access: String(share_with_community),
      no_share_third_party: String(!share_with_third_parties),
      ...(network !== null && { network_settings: network }),
      ...(sample.kind === 'file' && document_password !== null && { document_password }),
    }
    const body = sample.kind === 'file' ? { fields, file: { field: 'file', sample } } : { fields }
    const url = addressOf(call, `/api/v2/submit/${sample.kind}`)
    const answer = readDocument((await ask(call, SECRETS, { method: 'POST', url, headers: headers(call), body })).body)
    const id = reportIdIn(answer)
    if (id === undefined) throw unreadable('names no analysis')
    return analysisOf(call, id, digestOf(answer, 'sha256', 64))
  },
  poll: async (call, { id }) => {
    const answer = await get(call, `/api/v2/report/${reportId(id)}/state`)
    if (answer.status === 404) return { state: 'failed', reason: gone }
    const document = readSuccess(call, answer)
    const state = textOf(document, 'state')
    if (state === null) throw unreadable('has no state')
    if (state === 'SUCCESS') return { state: 'finished' }
    if (state !== 'ERROR') return { state: 'running', detail: state.slice(0, 100) }
    const said = shownSentence(textOf(document, 'error') ?? '', call, SECRETS)
    return { state: 'failed', reason: `Hybrid Analysis could not analyse the sample. ${said}`.trim() }
  },
  report: async (call, { id }) => {
    const url = addressOf(call, `/api/v2/report/${reportId(id)}/summary`)
    const request = { method: 'GET', url, headers: headers(call), mostBytes: MAX_REPORT_BYTES } as const
    const { body } = await ask(call, SECRETS, request)
    return reportOf(readDocument(body), body)
  },
}

/** Without a name of a program, the service refuses calls. */
const headers = ({ parameters: { api_key } }: Call) => ({ 'api-key': String(api_key), 'user-agent': 'Falcon Sandbox' })

const get = (call: Call, path: string): Promise<VendorAnswer> =>
  call.send({ method: 'GET', url: addressOf(call, path), headers: headers(call) })

function readSuccess(call: Call, answer: VendorAnswer): Part {
  if (!isSuccess(answer)) throw faultOf(answer, call, SECRETS)
  return readDocument(answer.body)
}

const isReportId = (text: string): boolean => text.length === 24 && /^[\da-f]+$/.test(text)

const reportIdIn = (part: Part): string | undefined =>
  [textOf(part, 'job_id'), textOf(part, 'id')].find((id) => id !== null && isReportId(id)) ?? undefined

/** The id of a report, which becomes a part of a path. */
function reportId(id: string): string {
  if (!isReportId(id)) throw unreadable('names an analysis whose id is none')
  return id
}

const analysisOf = (call: Call, id: string, sha256: string | null): Analysis => ({
  id,
  url: sha256 === null ? null : addressOf(call, `/sample/${sha256}/${id}`),
})
