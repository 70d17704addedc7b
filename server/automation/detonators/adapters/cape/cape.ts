import { z } from 'zod'
import { string } from '../../../../engine/field.ts'
import { type Adapter, type Analysis, type Call, DetonatorError, MAX_REPORT_BYTES } from '../../adapter.ts'
import { addressOf, ask, shownSentence } from '../answers.ts'
import { isTrue, memberOf, type Part, partsOf, readDocument, textOf, textsOf, unreadable } from '../document.ts'
import { HOST_AND_FILE_TYPES } from '../extracts.ts'
import { apiKey, formOf, nameOption, optional, serverAddress, timeLimit } from '../form.ts'
import { reportOf } from './report.ts'

const parameters = z.object({
  url: serverAddress('The address of the web interface of your CAPE server, such as https://cape.example.org.'),
  api_key: optional(apiKey('The token of an account. Servers without token authentication need none.')),
  report: z
    .enum(['json', 'litereport'])
    .default('json')
    .meta({
      title: 'Report',
      description: 'The lite report is smaller. It needs litereport in the configuration of the server.',
      choices: ['Full report', 'Lite report'],
    }),
})

const options = z.object({
  timeout: timeLimit(10, 'the server'),
  machine: optional(nameOption()).meta({ title: 'Machine', description: 'The name of an analysis machine.' }),
  route: optional(nameOption()).meta({
    title: 'Network route',
    description: 'A route that the server offers, such as none, internet, inetsim or tor.',
  }),
  package: optional(nameOption()).meta({
    title: 'Package',
    description: 'How the sample is started, such as exe, dll or doc. Without it, the server decides.',
  }),
  enforce_timeout: z.boolean().default(false).meta({
    title: 'Use the whole time',
    description: 'Continues until the time limit even if all processes have ended.',
  }),
  options: optional(string(1, 500).regex(/^[ -~]*$/, 'must be printable ASCII characters')).meta({
    title: 'Package options',
    description: 'As CAPE expects them, such as function=DllMain,free=yes.',
  }),
})

const SECRETS = ['api_key']
const FAILED = ['failed_analysis', 'failed_processing', 'failed_reporting', 'banned']

/** CAPEv2, an open-source sandbox that organisations run themselves. */
export const cape: Adapter = {
  name: 'cape',
  title: 'CAPEv2',
  description: 'An open-source sandbox on a server of your own, which also extracts the configuration of malware.',
  supportedTypes: ['file', 'url'],
  extractTypes: [...HOST_AND_FILE_TYPES, 'mutex', 'user-agent'],
  terms: [
    {
      id: 'cape-server',
      title: 'Your CAPE server receives samples',
      text:
        'Files and URLs are sent to the CAPE server at the configured address and run there. Everyone with access to that server can see ' +
        'the samples and their reports. If it has a route to the internet, malware contacts its own servers from there.',
      url: null,
    },
  ],
  parameters,
  secrets: SECRETS,
  options,
  form: formOf(parameters, options),
  deadlineSeconds: 2 * 3600,
  check: async (call) => {
    await read(call, '/apiv2/cuckoo/status/')
  },
  find: async (call, sample, given) => {
    if (sample.kind === 'url') return undefined
    const answer = await read(call, `/apiv2/tasks/search/sha256/${encodeURIComponent(sample.sha256)}/`)
    const ids = partsOf(answer, 'data').filter((task) => isSame(task, options.parse(given)))
    const [latest] = ids.flatMap((task) => taskIdIn(textOf(task, 'id')) ?? []).sort((a, b) => Number(b) - Number(a))
    return latest === undefined ? undefined : analysisOf(call, latest)
  },
  submit: async (call, sample, given) => {
    const fields = submissionOf(options.parse(given))
    const form =
      sample.kind === 'file' ? { fields, file: { field: 'file', sample } } : { fields: { url: sample.url, ...fields } }
    const answer = await read(call, `/apiv2/tasks/create/${sample.kind}/`, form)
    const ids = partsOf(answer, 'data').flatMap((data) => textsOf(data, 'task_ids'))
    const id = taskIdIn(ids[0] ?? null)
    if (id === undefined) throw unreadable('names no task')
    return analysisOf(call, id)
  },
  poll: async (call, { id }) => {
    const answer = await send(call, `/apiv2/tasks/status/${taskId(id)}/`)
    if (isError(answer)) {
      if (/does not exist|not found/i.test(errorIn(answer))) return { state: 'failed', reason: gone }
      throw faultIn(answer, call)
    }
    const status = textOf(answer, 'data')
    if (status === null) throw unreadable('has no status')
    if (status === 'reported') return { state: 'finished' }
    if (FAILED.includes(status)) return { state: 'failed', reason: `CAPE ended the task with the status ${status}.` }
    return { state: 'running', detail: shownSentence(status, call, SECRETS) }
  },
  report: async (call, { id }) => {
    const format = call.parameters.report === 'litereport' ? 'litereport' : 'json'
    const url = addressOf(call, `/apiv2/tasks/get/report/${taskId(id)}/${format}/`)
    const { body } = await ask(call, SECRETS, {
      method: 'GET',
      url,
      headers: headers(call),
      mostBytes: MAX_REPORT_BYTES,
    })
    const document = readDocument(body)
    if (isError(document)) throw faultIn(document, call)
    return reportOf(document, body, (number) => ({
      method: 'GET',
      url: addressOf(call, `/apiv2/tasks/get/screenshot/${taskId(id)}/${number}/`),
      headers: headers(call),
    }))
  },
}

const gone = 'The task no longer exists on the CAPE server. Submit the sample again.'

/** Sends a request and reads its answer. CAPE reports errors with the status 200. */
async function read(call: Call, path: string, form?: Parameters<Call['send']>[0]['body']): Promise<Part> {
  const answer = await send(call, path, form)
  if (isError(answer)) throw faultIn(answer, call)
  return answer
}

async function send(call: Call, path: string, form?: Parameters<Call['send']>[0]['body']): Promise<Part> {
  const request = { method: form ? 'POST' : 'GET', url: addressOf(call, path), headers: headers(call) } as const
  const { body } = await ask(call, SECRETS, form ? { ...request, body: form } : request)
  return readDocument(body)
}

function headers({ parameters: { api_key } }: Call): Record<string, string> {
  return typeof api_key === 'string' ? { authorization: `Token ${api_key}` } : {}
}

const isError = (answer: Part): boolean => isTrue(answer, 'error')

const errorIn = (answer: Part): string => textOf(answer, 'error_value') ?? ''

function faultIn(answer: Part, call: Call): DetonatorError {
  const said = shownSentence(errorIn(answer), call, SECRETS)
  if (/rate limit/i.test(said)) return new DetonatorError('limited', `CAPE: ${said} It is called again later.`)
  if (/disabled|permission/i.test(said))
    return new DetonatorError('refused', `CAPE: ${said} Enable this part of the API in api.conf of the server.`)
  return new DetonatorError('rejected', `CAPE does not accept the request. ${said}`.trim())
}

type Options = z.infer<typeof options>

/** Whether a finished task ran as it would with these options. */
function isSame(task: Part, { machine, route, package: started }: Options): boolean {
  const is = (name: string, wanted: string | null) => wanted === null || textOf(task, name) === wanted
  return (
    memberOf(task, 'status') === 'reported' && is('machine', machine) && is('route', route) && is('package', started)
  )
}

const submissionOf = ({ timeout, machine, route, package: started, enforce_timeout, options: more }: Options) => ({
  ...(timeout !== null && { timeout: String(timeout) }),
  ...(machine !== null && { machine }),
  ...(route !== null && { route }),
  ...(started !== null && { package: started }),
  ...(enforce_timeout && { enforce_timeout: '1' }),
  ...(more !== null && { options: more }),
})

const taskIdIn = (text: string | null): string | undefined => (/^\d{1,15}$/.test(text ?? '') ? (text ?? '') : undefined)

/** The id of a task, which becomes a part of a path. */
function taskId(id: string): string {
  if (taskIdIn(id) === undefined) throw unreadable('names a task that is no number')
  return id
}

const analysisOf = (call: Call, id: string): Analysis => ({ id, url: addressOf(call, `/analysis/${id}/`) })
