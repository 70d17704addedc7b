import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { startFollowers } from '../server/background/followers/follow.ts'
import { webhooks } from '../server/changes/webhooks/delivering/deliver.ts'
import { openVault } from '../server/identity/access/vault.ts'
import { openOutbound } from '../server/ports/outbound.ts'
import { resourceMap } from '../server/registry.ts'
import { taskTypes } from '../server/tasks.ts'
import { startApp } from './app.ts'
import type { Told } from './event-stream.ts'
import { until } from './until.ts'

/** A request as received. */
export interface Call {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly body: { webhook: string; delivery: string; is_test: boolean; has_gap: boolean; events: Told[] }
}

/** A receiver of webhooks on this machine; `answers` decides its response, 200 by default. */
export async function startReceiver() {
  const calls: Call[] = []
  let answer: (response: ServerResponse, call: Call) => void | Promise<void> = (response) => void response.end()
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    const call = { path: request.url ?? '', headers: request.headers, raw, body: JSON.parse(raw) }
    calls.push(call)
    await answer(response, call)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const callsTo = (path: string) => calls.filter((call) => call.path === path)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    callsTo,
    /** The events received at a path, without duplicates. */
    eventsAt: (path: string): Told[] => {
      const all = callsTo(path).flatMap(({ body }) => body.events)
      return [...new Map(all.map((event) => [event.id, event])).values()]
    },
    answers: (other: typeof answer) => {
      answer = other
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Verifies a request as described in the API guide. */
export function isGenuine({ headers, raw }: Call, secret: string): boolean {
  const timestamp = String(headers['corvus-timestamp'])
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')}`)
  const given = Buffer.from(String(headers['corvus-signature']))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * Whether all changes can be delivered. Until an older transaction in any database of the server has ended, they are
 * delayed: they would also reach webhooks created in the meantime, and arrive in separate requests.
 */
const IS_SETTLED = `
  select count(*) filter (where xact >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint) = 0 as is_settled from changes`

/** The application, with permission to call this machine, and processes that deliver its webhooks. */
export async function startWebhooks(onStatement?: (statement: string) => void, log = pino({ level: 'silent' })) {
  const environment = { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const corvus = await startApp(onStatement, { environment, log })
  const outbound = openOutbound(corvus.config.allowedNetworks)
  const server = { db: corvus.db, vault: await openVault(corvus.config), resources: resourceMap, taskTypes, outbound }
  const receiver = await startReceiver()
  const processes: ReturnType<typeof startFollowers>[] = []

  const settle = () =>
    until(async () => (await corvus.pool.query(IS_SETTLED)).rows[0].is_settled, 'a transaction does not end')
  const make = async (path: string, item: unknown, token = corvus.admin) => {
    const { status, body } = await corvus.call('POST', path, { data: item }, token)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  return {
    ...corvus,
    server,
    receiver,
    make,
    settle,
    startProcess: () => {
      const process = startFollowers({ server, log, followers: [webhooks] })
      processes.push(process)
      return process
    },
    /** A webhook that calls the receiver at a path equal to its name. */
    webhook: async (name: string, more = {}, token?: string) => {
      await settle()
      return make('webhooks', { name, url: `${receiver.url}/${name}`, ...more }, token)
    },
    read: async (id: number) => (await corvus.call('GET', `webhooks/${id}`)).body.data,
    deliveries: async (id: number) => (await corvus.call('GET', `webhooks/${id}/deliveries`)).body.data,
    /** Ends the pause before the next attempt. */
    hurry: (id: number) =>
      corvus.pool.query(`update followers set next_attempt_at = now() where name = 'webhooks' and owner = $1`, [id]),
    indicator: (title: string, more = {}) => ({
      data: { type: 'indicator', title, id: `{https://x.test/}indicator-${crypto.randomUUID()}` },
      ...more,
    }),
    userOf: async (token: string): Promise<number> =>
      (await corvus.call('GET', 'users/self', undefined, token)).body.data.id,
    stop: async () => {
      for (const process of processes) await process.stop()
      await receiver.stop()
      await outbound.close()
      await corvus.stop()
    },
  }
}
