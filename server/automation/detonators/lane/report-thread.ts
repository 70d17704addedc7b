import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { DetonatorError, type VendorAnswer, type VendorRequest } from '../adapter.ts'
import { adapters } from '../adapters/adapters.ts'
import { boundReport } from './bound-report.ts'
import { type Answered, bufferOf, faultFrom, faultOf, memoryOf, type Said, type Task } from './report-messages.ts'

const { adapter: name, parameters, analysis, secrets, answers } = workerData as Task
const known = [...answers]

async function send(request: VendorRequest): Promise<VendorAnswer> {
  const first = known.shift()
  if (first) return withBuffer(first)
  parentPort?.postMessage({ request } satisfies Said)
  const [said] = (await once(parentPort as NonNullable<typeof parentPort>, 'message')) as [Answered]
  if ('fault' in said) throw faultFrom(said.fault)
  return withBuffer(said.answer)
}

const withBuffer = (answer: VendorAnswer): VendorAnswer => ({ ...answer, body: bufferOf(answer.body) })

async function read(): Promise<Said> {
  try {
    const adapter = adapters.find((each) => each.name === name)
    if (!adapter) throw new TypeError(`There is no adapter ${name}.`)
    const report = await adapter.report({ parameters, signal: new AbortController().signal, send }, analysis)
    return { report: boundReport(report, secrets) }
  } catch (error) {
    if (!(error instanceof DetonatorError)) throw error
    return { fault: faultOf(error) }
  }
}

const said = await read()
parentPort?.postMessage(said, 'report' in said ? memoryOf([said.report.raw.content]) : [])
