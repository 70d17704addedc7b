import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Logger, pino } from 'pino'
import { startFollowers } from '../../server/background/followers/follow.ts'
import type { Follower } from '../../server/background/followers/follower.ts'
import type { Worker } from '../../server/background/worker.ts'
import { startBackground } from '../../server/background.ts'
import { openVault } from '../../server/identity/access/vault.ts'
import { openBlobs } from '../../server/ports/blobs-open.ts'
import { openOutbound } from '../../server/ports/outbound.ts'
import { resourceMap } from '../../server/registry.ts'
import type { Server } from '../../server/server.ts'
import { taskTypes } from '../../server/tasks.ts'
import { type Answered, type Method, startApp } from '../app.ts'
import { until } from '../until.ts'

/** A request as the source received it. */
export interface SourceCall {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly type: string
  readonly value: string
}

export type Reply = (response: ServerResponse, call: SourceCall) => void | Promise<void>

/** Findings as the source sends them. */
export const finds =
  (...findings: readonly object[]): Reply =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ findings }))

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end('{}')

/** A service on this machine that is asked about observables. It knows nothing, unless `answers` says what to reply at a path. */
export async function startSource() {
  const calls: SourceCall[] = []
  const replies = new Map<string, Reply>()
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    const { type = '', value = '' } = raw === '' ? {} : JSON.parse(raw)
    const call = { path: request.url ?? '', headers: request.headers, raw, type, value }
    calls.push(call)
    await (replies.get(call.path) ?? status(404))(response, call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    callsTo: (path: string) => calls.filter((call) => call.path === path),
    answers: (path: string, reply: Reply) => void replies.set(path, reply),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Options {
  readonly onStatement?: (statement: string) => void
  readonly log?: Logger
}

/** The application with a source, and processes that look observables up. */
export async function startEnrichers({ onStatement, log = pino({ level: 'silent' }) }: Options = {}) {
  const environment = { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const corvus = await startApp(onStatement, { environment, log })
  const outbound = openOutbound(corvus.config.allowedNetworks)
  const server: Server = {
    db: corvus.db,
    vault: await openVault(corvus.config),
    resources: resourceMap,
    taskTypes,
    outbound,
    blobs: openBlobs(corvus.config),
  }
  const source = await startSource()
  const processes: Worker[] = []
  let counter = 0

  const ask = async (method: Method, path: string, data?: unknown, token = corvus.admin) => {
    const answer = await corvus.call(method, path, data === undefined ? undefined : { data }, token)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body?.data
  }
  const idOf = (url: string): string => url.split('/').at(-1) ?? ''
  const readRun = (id: string) => ask('GET', `tasks/runs/${id}`)
  return {
    ...corvus,
    server,
    source,
    ask,
    /** An active enricher that asks the source at a path of its own. */
    enricher: (more: Record<string, unknown> = {}, token = corvus.admin) => {
      const name = String(more.name ?? `enricher_${++counter}`)
      return ask(
        'POST',
        'enrichers',
        {
          name,
          enricher: 'builtin:own_service',
          is_active: true,
          supported_observable_types: ['ipv4', 'domain', 'uri'],
          parameters: { url: `${source.url}/${name}`, api_key: `key-of-${name}` },
          ...more,
        },
        token,
      )
    },
    observable: (value: string, more: Record<string, unknown> = {}, token = corvus.admin) =>
      ask('POST', 'observables', { type: 'domain', value, ...more }, token),
    startProcess: async () => {
      const process = await startBackground({
        server,
        connection: { connectionString: corvus.url },
        log,
        followers: [],
        pollMs: 50,
      })
      processes.push(process)
      return process
    },
    /** Starts following changes, and returns a function that ends it. */
    startFollowing: (followers: readonly Follower[]) => {
      const following = startFollowers({ server, log, followers })
      return () => following.stop()
    },
    /** Starts a run and returns its id. */
    run: async (body: object, token = corvus.admin) =>
      idOf((await ask('POST', 'enrichers/batch-run', body, token)).task_run),
    readRun,
    /** The run once it has ended. */
    ended: (id: string) =>
      until(async () => {
        const run = await readRun(id)
        return run.ended_at ? run : undefined
      }, `the run ${id} does not end`),
    enrichmentOf: async (enricher: number, observable: number, token = corvus.admin) =>
      (
        await ask('GET', `enrichments?filter[enricher]=${enricher}&filter[observable]=${observable}`, undefined, token)
      )[0],
    /** Users of a new group that allows sources up to colours, and the group. */
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
      for (const process of processes) await process.stop()
      await source.stop()
      await outbound.close()
      await corvus.stop()
    },
  }
}

export type Enrichers = Awaited<ReturnType<typeof startEnrichers>>

/** The details of a refusal. */
export const detailsOf = ({ body }: Answered): string[] => body.map(({ detail }: { detail: string }) => detail)
