import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { z } from 'zod'
import type { Adapter, Call, Progress, Report, Sample } from '../../server/automation/detonators/adapter.ts'
import { adapters } from '../../server/automation/detonators/adapters/adapters.ts'
import { startDetonations } from '../../server/automation/detonators/lane/lane.ts'
import type { Worker } from '../../server/background/worker.ts'
import { openVault } from '../../server/identity/access/vault.ts'
import { openBlobs } from '../../server/ports/blobs-open.ts'
import { openOutbound } from '../../server/ports/outbound.ts'
import { resourceMap } from '../../server/registry.ts'
import type { Server } from '../../server/server.ts'
import { taskTypes } from '../../server/tasks.ts'
import { type Method, startApp } from '../app.ts'
import { until } from '../until.ts'

export type What = 'check' | 'find' | 'submit' | 'poll' | 'report' | 'screenshot'

/** What the vendor does, as tests arrange it. */
export interface Script {
  find(sample: Sample): { readonly id: string; readonly url: string | null } | undefined | Promise<undefined>
  submit(sample: Sample): { readonly id: string; readonly url: string | null } | Promise<never>
  poll(): Progress
  report(): Partial<Report>
  /** The bytes of every screenshot. */
  screenshot: Buffer
  /** Runs before a call is answered; what it throws is the failure of the call. */
  before(what: What): void | Promise<void>
}

export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

const EMPTY: Report = {
  verdict: 'malicious',
  score: 95,
  families: [],
  tags: [],
  environment: 'Windows 10 64-bit',
  started_at: '2026-11-01T10:00:00Z',
  ended_at: '2026-11-01T10:05:00Z',
  engine_version: '1.0',
  extracts: [],
  attacks: [],
  processes: [],
  network: [],
  signatures: [],
  dropped_files: [],
  raw: { filename: 'report.json', media_type: 'application/json', content: Buffer.from('{"score":95}') },
  screenshots: [],
  warnings: [],
}

const script = (): Script => ({
  find: () => undefined,
  submit: () => ({ id: 'analysis-1', url: 'https://vendor.example/analysis-1' }),
  poll: () => ({ state: 'finished' }),
  report: () => ({}),
  screenshot: PNG,
  before: () => {},
})

/** The permissions of users who submit samples of all kinds. */
export const ANALYST = [
  'read detonations',
  'modify detonations',
  'read detonators',
  'read entities',
  'read extracts',
  'read files',
]

export const TYPES = ['ipv4', 'domain', 'uri', 'hash-sha256', 'mutex']

/** A sandbox on this machine whose answers tests arrange, and its adapter, which calls it through the port of the engine. */
export async function startVendor() {
  const received: { what: What; path: string; headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
  const plan = script()
  const server = createServer(async (request, response) => {
    const what = (request.url ?? '').split('/')[1] as What
    received.push({ what, path: request.url ?? '', headers: request.headers, body: await buffer(request) })
    response.end(what === 'screenshot' ? plan.screenshot : '{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async (call: Call, what: What, sample?: Sample) => {
    await plan.before(what)
    const form = sample?.kind === 'file' ? { fields: { private: 'yes' }, file: { field: 'file', sample } } : undefined
    await call.send({
      method: form ? 'POST' : 'GET',
      url: `${call.parameters.url}/${what}`,
      headers: { authorization: `Bearer ${call.parameters.api_key}` },
      ...(form && { body: form }),
    })
  }
  const adapter: Adapter = {
    name: 'scripted',
    title: 'Scripted sandbox',
    description: 'A sandbox whose answers tests arrange.',
    supportedTypes: ['file', 'url'],
    extractTypes: TYPES,
    terms: [
      { id: 'samples', title: 'Samples', text: 'The vendor receives samples.', url: 'https://vendor.example/terms' },
      { id: 'public', title: 'Public', text: 'Everyone sees them there.', url: null },
    ],
    parameters: z.object({ url: z.url(), api_key: z.string() }),
    secrets: ['api_key'],
    options: z.object({ timeout: z.int().min(1).max(600).default(60), network: z.boolean().optional() }),
    form: [{ group: 'parameters', name: 'url', title: 'Address', description: '', type: 'url', required: true }],
    deadlineSeconds: 3600,
    check: (call) => send(call, 'check'),
    find: async (call, sample) => {
      await send(call, 'find')
      return plan.find(sample)
    },
    submit: async (call, sample) => {
      await send(call, 'submit', sample)
      return plan.submit(sample)
    },
    poll: async (call) => {
      await send(call, 'poll')
      return plan.poll()
    },
    report: async (call) => {
      await send(call, 'report')
      return { ...EMPTY, ...plan.report() }
    },
  }
  return {
    url,
    adapter,
    plan,
    received: (what?: What) => received.filter((each) => what === undefined || each.what === what),
    /** A screenshot that the vendor serves. */
    screenshot: (number: number) => ({
      filename: `screen-${number}.png`,
      request: { method: 'GET' as const, url: `${url}/screenshot/${number}` },
    }),
    reset: () => {
      received.length = 0
      Object.assign(plan, script())
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The application with a scripted sandbox, or with those of the platform, and lanes that carry detonations out. */
export async function startDetonators({ isScripted = true }: { readonly isScripted?: boolean } = {}) {
  const vendor = await startVendor()
  const environment = { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const sandboxes = isScripted ? [vendor.adapter] : adapters
  const corvus = await startApp(undefined, { environment, sandboxes })
  const outbound = openOutbound(corvus.config.allowedNetworks)
  const server: Server = {
    db: corvus.db,
    vault: await openVault(corvus.config),
    resources: resourceMap,
    taskTypes,
    outbound,
    blobs: openBlobs(corvus.config),
    sandboxes,
  }
  const lanes: Worker[] = []
  const ask = async (method: Method, path: string, data?: unknown, token = corvus.admin) => {
    const answer = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body?.data
  }
  const consent = (id: number, token = corvus.admin) =>
    ask('POST', `detonators/${id}/consent`, { terms: ['samples', 'public'] }, token)
  const read = (id: string, token = corvus.admin) => ask('GET', `detonations/${id}`, undefined, token)
  /** Lets what waits for a later time go on, and what a process held that did not report back. */
  const hurry = () => corvus.pool.query('update detonations set due_at = least(due_at, now())')
  return {
    ...corvus,
    server,
    vendor,
    ask,
    consent,
    read,
    hurry,
    /** An active detonator whose terms the administrator has accepted. */
    detonator: async (more: Record<string, unknown> = {}) => {
      const made = await ask('POST', 'detonators', {
        adapter: 'scripted',
        is_active: true,
        parameters: { url: vendor.url, api_key: 'key-of-the-vendor' },
        ...more,
      })
      await consent(made.id)
      return made
    },
    startLane: () => {
      const lane = startDetonations({ server, log: pino({ level: process.env.CORVUS_LOG_LEVEL ?? 'silent' }) })
      lanes.push(lane)
      return lane
    },
    stopLanes: async () => {
      for (const lane of lanes.splice(0)) await lane.stop()
    },
    /** Leaves nothing of a test to the next one: stops lanes, cancels what is under way, and resets the vendor. */
    clear: async () => {
      for (const lane of lanes.splice(0)) await lane.stop()
      vendor.reset()
      await corvus.pool.query(
        `update detonations set state = 'CANCELLED', claim = null where state in ('WAITING', 'CHECKING', 'SUBMITTING', 'RUNNING', 'REPORTING')`,
      )
    },
    /** The detonation once it is in one of these states. */
    inState: (id: string, states: readonly string[], token = corvus.admin) =>
      until(
        async () => {
          await hurry()
          const found = await read(id, token)
          return states.includes(found.state) ? found : undefined
        },
        `the detonation ${id} does not become ${states.join(' or ')}`,
      ),
    /** Users of a new group that allows sources up to colours. */
    personIn: async (name: string, permissions: readonly string[] | 'all', allowed: readonly string[]) => {
      const token = await corvus.tokenFor(permissions)
      const { id } = await ask('GET', 'users/self', undefined, token)
      await corvus.pool.query('delete from group_users where target = $1', [id])
      const group = await ask('POST', 'groups', { name, users: [id], sources: allowed })
      await corvus.call('PATCH', `groups/${group.id}`, {
        data: { sources: [...allowed, `${group.source}?allowed_tlp=RED`] },
      })
      return { token, id, group }
    },
    stop: async () => {
      for (const lane of lanes) await lane.stop()
      await vendor.stop()
      await outbound.close()
      await corvus.stop()
    },
  }
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
