import { z } from 'zod'
import { type Adapter, type Analysis, type Call, DetonatorError, MAX_REPORT_BYTES } from '../../adapter.ts'
import { addressOf, ask, faultOf, isSuccess } from '../answers.ts'
import { type Part, partsOf, readDocument, textOf, unreadable } from '../document.ts'
import { HOST_AND_FILE_TYPES } from '../extracts.ts'
import { apiKey, formOf, nameOption, optional, samplePassword, serverAddress, timeLimit } from '../form.ts'
import { reportOf, tasksWithReports } from './report.ts'

const parameters = z.object({
  url: serverAddress(
    'https://private.tria.ge is the private cloud. On the public one, https://tria.ge, all samples are public.',
  ).default('https://private.tria.ge'),
  api_key: apiKey('Of your account, which needs permission to use the API.'),
})

const options = z.object({
  timeout: timeLimit(30, 'Triage'),
  network: optional(z.enum(['internet', 'drop', 'tor', 'sim200', 'sim404', 'simnx'])).meta({
    title: 'Network',
    description: 'Where the sample can connect to. Without it, the internet.',
    choices: ['Internet', 'None', 'Tor', 'Simulated: 200', 'Simulated: 404', 'Simulated: no names'],
  }),
  profile: optional(nameOption()).meta({
    title: 'Profile',
    description: 'The name of a profile of your account: a machine with its options.',
  }),
  password: samplePassword('archive', 'For samples in an encrypted archive, such as infected.'),
})

const SECRETS = ['api_key']
const gone = 'The sample no longer exists at Triage. Submit it again.'
/** Reports of single machines have the processes and the network. Each has at most this size, and the first ones are read. */
const MAX_TASK_BYTES = 20 * 2 ** 20
const MAX_TASKS = 4

/** Hatching Triage, now Recorded Future Sandbox. */
export const triage: Adapter = {
  name: 'triage',
  title: 'Hatching Triage',
  description: 'A sandbox in the cloud (now Recorded Future Sandbox) that extracts the configuration of malware.',
  supportedTypes: ['file', 'url'],
  extractTypes: [...HOST_AND_FILE_TYPES, 'mutex', 'email', 'ja3-hash', 'crypto-address'],
  terms: [
    {
      id: 'triage-cloud',
      title: 'Recorded Future receives samples',
      text:
        'Files and URLs, and before them the SHA-256 of files, are sent to Recorded Future. On the private cloud, your organisation there ' +
        'can see them. On the public cloud, https://tria.ge, everyone can see and download them, which cannot be undone.',
      url: 'https://hatching.io/terms',
    },
  ],
  parameters,
  secrets: SECRETS,
  options,
  form: formOf(parameters, options),
  deadlineSeconds: 2 * 3600,
  check: async (call) => {
    await read(call, '/api/v0/samples?subset=owned&limit=1')
  },
  find: async (call, sample, given) => {
    const { network, profile, password } = options.parse(given)
    // The search does not say how a sample ran.
    if (sample.kind === 'url' || network !== null || profile !== null || password !== null) return undefined
    const query = new URLSearchParams({ query: `sha256:${sample.sha256}`, limit: '20' })
    const answer = await read(call, `/api/v0/search?${query}`)
    // The latest come first.
    const known = partsOf(answer, 'data').find((each) => textOf(each, 'status') === 'reported' && hasSampleId(each))
    return known && analysisOf(call, textOf(known, 'id') ?? '')
  },
  submit: async (call, sample, given) => {
    const { timeout, network, profile, password } = options.parse(given)
    const defaults = { ...(timeout !== null && { timeout }), ...(network !== null && { network }) }
    const described = JSON.stringify({
      kind: sample.kind,
      interactive: false,
      ...(sample.kind === 'url' && { url: sample.url }),
      ...(Object.keys(defaults).length > 0 && { defaults }),
      ...(profile !== null && { profiles: [{ profile }] }),
      ...(password !== null && sample.kind === 'file' && { password }),
    })
    const body = sample.kind === 'url' ? described : { fields: { _json: described }, file: { field: 'file', sample } }
    const request = { method: 'POST', url: addressOf(call, '/api/v0/samples'), body } as const
    const type = sample.kind === 'url' ? { 'content-type': 'application/json' } : {}
    const answer = readDocument((await ask(call, SECRETS, { ...request, headers: { ...headers(call), ...type } })).body)
    if (!hasSampleId(answer)) throw unreadable('names no sample')
    return analysisOf(call, textOf(answer, 'id') ?? '')
  },
  poll: async (call, { id }) => {
    const url = addressOf(call, `/api/v0/samples/${sampleId(id)}`)
    const answer = await call.send({ method: 'GET', url, headers: headers(call) })
    if (answer.status === 404) return { state: 'failed', reason: gone }
    if (!isSuccess(answer)) throw faultOf(answer, call, SECRETS)
    const status = textOf(readDocument(answer.body), 'status')
    if (status === null) throw unreadable('has no status')
    if (status === 'reported') return { state: 'finished' }
    if (status === 'failed') return { state: 'failed', reason: 'Triage could not analyse the sample.' }
    return { state: 'running', detail: status.slice(0, 100) }
  },
  report: async (call, { id }) => {
    const path = `/samples/${sampleId(id)}`
    const overview = await download(call, `/api/v1${path}/overview.json`, MAX_REPORT_BYTES)
    const document = readDocument(overview)
    const names = tasksWithReports(document)
    const warnings: string[] = []
    const tasks: Part[] = []
    for (const name of names.slice(0, MAX_TASKS)) {
      const task = await taskReport(call, `/api/v0${path}/${name}/report_triage.json`)
      if (task) tasks.push(task)
      else warnings.push(`The report of the task ${name} could not be read. Its processes and connections are missing.`)
    }
    if (names.length > MAX_TASKS)
      warnings.push(`The reports of ${names.length - MAX_TASKS} further tasks were not read.`)
    const screenshot = {
      method: 'GET',
      url: addressOf(call, `/api/v0${path}/urlscan1/screenshot.png`),
      headers: headers(call),
    } as const
    return reportOf(document, tasks, overview, screenshot, warnings)
  },
}

const headers = ({ parameters: { api_key } }: Call) => ({ authorization: `Bearer ${String(api_key)}` })

async function read(call: Call, path: string): Promise<Part> {
  return readDocument(await download(call, path))
}

async function download(call: Call, path: string, mostBytes?: number): Promise<Buffer> {
  const request = { method: 'GET', url: addressOf(call, path), headers: headers(call) } as const
  return (await ask(call, SECRETS, mostBytes === undefined ? request : { ...request, mostBytes })).body
}

/** The report of one machine; undefined if it is missing or unreadable. Other faults may pass, and are thrown. */
async function taskReport(call: Call, path: string): Promise<Part | undefined> {
  try {
    return readDocument(await download(call, path, MAX_TASK_BYTES))
  } catch (error) {
    if (error instanceof DetonatorError && ['unreadable', 'rejected'].includes(error.fault)) return undefined
    throw error
  }
}

const isSampleId = (text: string): boolean => /^\d{6}-[a-z\d]{6,20}$/.test(text)

const hasSampleId = (part: Part): boolean => isSampleId(textOf(part, 'id') ?? '')

/** The id of a sample, which becomes a part of a path. */
function sampleId(id: string): string {
  if (!isSampleId(id)) throw unreadable('names a sample whose id is none')
  return id
}

const analysisOf = (call: Call, id: string): Analysis => ({ id, url: addressOf(call, `/${id}`) })
