import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { type Analysis, type Dialect, dialects, type What } from './dialects.ts'
import { type Fault, playFault } from './vendor-faults.ts'
import { type Received, receive } from './vendor-requests.ts'

export type { What } from './dialects.ts'
export type { Fault } from './vendor-faults.ts'
export type { Received } from './vendor-requests.ts'

export const VENDORS = ['cape', 'triage', 'joe', 'hybrid_analysis'] as const
export type Vendor = (typeof VENDORS)[number]

/** Which calls a fault concerns: those of any vendor, of any kind, without end, unless these say otherwise. */
export interface Scope {
  readonly vendor?: Vendor
  readonly what?: What
  /** How many calls are answered with the fault before the vendors work again. */
  readonly times?: number
}

/** What tests ask for and arrange. All of it can be used from another process as well, see `connectVendors`. */
export interface Controls {
  /** The calls received so far, in the order in which they were complete. */
  received(which?: { vendor?: Vendor; what?: What }): Received[]
  /** Answers calls with a fault; null makes the vendors work again. A new fault replaces the one before. Held calls are answered. */
  play(fault: Fault | null, scope?: Scope): void
  /** Lets vendors know content by its hash, as if another user had submitted it before. */
  knows(sha256: string, vendor?: Vendor): void
  /** The polls that an analysis takes until it is finished; 2 at first. */
  finishesAfter(polls: number): void
  /** Forgets calls, analyses, faults and known hashes. */
  reset(): void
}

export interface Vendors extends Controls {
  readonly url: string
  /** Parameters with which a detonator of each adapter is accepted. */
  readonly parameters: Readonly<Record<Vendor, { url: string; api_key: string }>>
  stop(): Promise<void>
}

/**
 * Sandboxes on this machine: one server that speaks the dialects of CAPEv2, Triage, Joe Sandbox and Hybrid Analysis. Submissions are
 * counted and become analyses, which advance with each poll and end with the recorded report of `answers/<vendor>/report.json`, or
 * `clean-report.json` if the name of the file contains "clean". Credentials other than those in `parameters` are refused.
 */
export async function startVendors(port = 0): Promise<Vendors> {
  const state = newState()
  const controls = controlsOf(state)
  const server = createServer((request, response) => {
    serve(state, controls, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...controls,
    url,
    parameters: parametersAt(url),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Remote = { readonly [K in keyof Controls]: (...args: Parameters<Controls[K]>) => Promise<ReturnType<Controls[K]>> }

/** The controls of vendors that run in another process, which `node test/detonators/vendors.ts [port]` starts. It prints their URL. */
export function connectVendors(url: string): Remote & Pick<Vendors, 'url' | 'parameters'> {
  const remote =
    (name: string) =>
    async (...args: unknown[]) => {
      const answer = await fetch(`${url}/controls/${name}`, { method: 'POST', body: JSON.stringify(args) })
      const { result } = (await answer.json()) as { result?: unknown }
      return result as never
    }
  return {
    url,
    parameters: parametersAt(url),
    received: remote('received'),
    play: remote('play'),
    knows: remote('knows'),
    finishesAfter: remote('finishesAfter'),
    reset: remote('reset'),
  }
}

const parametersAt = (url: string): Vendors['parameters'] =>
  Object.fromEntries(
    VENDORS.map((vendor) => [
      vendor,
      { url: `${url}/${vendor}${dialects[vendor].base}`, api_key: dialects[vendor].key },
    ]),
  ) as Vendors['parameters']

interface State {
  received: Received[]
  analyses: Analysis[]
  fault: { kind: Fault; scope: Scope; left: number } | undefined
  /** Called when held calls may be answered. */
  held: (() => void)[]
  polls: number
}

const newState = (): State => ({ received: [], analyses: [], fault: undefined, held: [], polls: 2 })

function controlsOf(state: State): Controls {
  const release = () => {
    for (const answer of state.held.splice(0)) answer()
  }
  return {
    received: ({ vendor, what } = {}) =>
      state.received.filter((each) => (vendor ?? each.vendor) === each.vendor && (what ?? each.what) === each.what),
    play: (kind, scope = {}) => {
      state.fault = kind === null ? undefined : { kind, scope, left: scope.times ?? Number.POSITIVE_INFINITY }
      release()
    },
    knows: (sha256, vendor) => {
      for (const each of vendor ? [vendor] : VENDORS) addAnalysis(state, each, { sha256, filename: 'known.exe' }, true)
    },
    finishesAfter: (polls) => {
      state.polls = polls
    },
    reset: () => {
      release()
      Object.assign(state, newState())
    },
  }
}

function addAnalysis(
  state: State,
  vendor: Vendor,
  sample: Partial<Pick<Analysis, 'sha256' | 'sha1' | 'md5' | 'filename' | 'url'>>,
  isFinished: boolean,
): Analysis {
  const number = state.analyses.length + 1
  const analysis: Analysis = {
    ...{ vendor, number, id: dialects[vendor].idOf(number), polls: isFinished ? Number.POSITIVE_INFINITY : 0 },
    ...{ sha256: null, sha1: null, md5: null, filename: null, url: null, ...sample },
  }
  state.analyses.push(analysis)
  return analysis
}

async function serve(state: State, controls: Controls, request: IncomingMessage, response: ServerResponse) {
  const { pathname, search } = new URL(request.url ?? '/', 'http://vendors')
  const [, first = '', ...rest] = pathname.split('/')
  if (first === 'controls') return control(controls, rest.join('/'), request, response)
  const vendor = VENDORS.find((each) => each === first)
  const dialect: Dialect | undefined = vendor && dialects[vendor]
  const path = `/${rest.join('/')}`
  const call = dialect?.recognise(request.method ?? '', path, new URLSearchParams(search))
  const received = await receive(request, vendor ?? first, call?.what ?? 'other')
  state.received.push(received)
  if (!vendor || !dialect || !call) return void response.writeHead(404).end('{"error": true}')
  const fault = takeFault(state, vendor, call.what)
  const answer = () => {
    const reply = answerTo(state, vendor, dialect, call, received, fault)
    response.writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'application/json' })
    response.end(Buffer.isBuffer(reply.body) ? reply.body : JSON.stringify(reply.body))
  }
  if (fault === undefined || fault === 'pending' || fault === 'failed') return answer()
  await playFault(fault, response, answer, (release) => state.held.push(release))
}

function takeFault(state: State, vendor: Vendor, what: What): Fault | undefined {
  const { fault } = state
  if (!fault || fault.left <= 0) return undefined
  const { scope, kind } = fault
  if ((scope.vendor ?? vendor) !== vendor || (scope.what ?? what) !== what) return undefined
  if ((kind === 'pending' || kind === 'failed') && what !== 'poll') return undefined
  if (kind === 'huge' && what !== 'report') return undefined
  fault.left--
  return kind
}

function answerTo(
  state: State,
  vendor: Vendor,
  dialect: Dialect,
  { what, id, sha256, part }: NonNullable<ReturnType<Dialect['recognise']>>,
  received: Received,
  fault: Fault | undefined,
) {
  if (!dialect.isAuthorised(received)) return { status: 401, body: dialect.unauthorised }
  const own = state.analyses.filter((each) => each.vendor === vendor)
  if (what === 'submit') return dialect.submitted(addAnalysis(state, vendor, received, false))
  if (what === 'check') return dialect.checked()
  if (what === 'find') {
    const wanted = sha256 ?? dialect.wantedIn?.(received) ?? ''
    return dialect.found(
      own.filter((each) => each.sha256 === wanted).map((each) => ({ ...each, ...progressOf(state, each) })),
    )
  }
  const wanted = id ?? dialect.wantedIn?.(received)
  const analysis = own.find((each) => each.id === wanted)
  if (!analysis) return dialect.unknown
  if (what === 'poll') {
    // Only a look at the submission makes progress.
    if (fault !== 'pending' && part === undefined) analysis.polls++
    return dialect.polled({ ...analysis, ...progressOf(state, analysis), isFailed: fault === 'failed' }, part)
  }
  if (what === 'screenshot') return dialect.screenshot(id ?? '')
  return dialect.reported(analysis, part)
}

const progressOf = ({ polls }: State, analysis: Analysis) => ({
  isFinished: analysis.polls > polls,
  progress: Math.min(1, analysis.polls / (polls + 1)),
})

async function control(controls: Controls, name: string, request: IncomingMessage, response: ServerResponse) {
  const args = JSON.parse(await text(request)) as never[]
  const run = controls[name as keyof Controls] as ((...all: never[]) => unknown) | undefined
  response.writeHead(run ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ result: run?.(...args) }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url } = await startVendors(Number(process.argv[2] ?? 0))
  console.log(url)
}
