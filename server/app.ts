import { constants } from 'node:zlib'
import compress, { type FastifyCompressOptions } from '@fastify/compress'
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { openModelPorts } from './ai/calling/model-ports.ts'
import type { Adapter } from './automation/detonators/adapter.ts'
import { readDetonatorLanes } from './automation/detonators/lane/lane-status.ts'
import { readLaneStatus } from './automation/enrichers/lanes/lane-status.ts'
import { readPlaybookLanes } from './automation/playbooks/lane/lane-status.ts'
import { countRuns } from './background/counts.ts'
import { readFollowerStatus } from './background/followers/follower-status.ts'
import { openStreams } from './changes/events/streams.ts'
import { type Config, version } from './config.ts'
import type { SideConnection } from './database/side-connection.ts'
import type { Lookup } from './engine/context.ts'
import { serve } from './engine/serve.ts'
import { outsideWork } from './engine/work.ts'
import { readHealth } from './feeds/health/read-health.ts'
import { taxiiDialect } from './feeds/taxii/dialect.ts'
import { followers } from './followers.ts'
import { addressesOf } from './http/addresses.ts'
import { entryOf, isAudited, openAudit } from './http/audit.ts'
import { serveDocs } from './http/docs.ts'
import { serveHealth } from './http/health.ts'
import { createHttp } from './http/http.ts'
import { createMetrics } from './http/metrics.ts'
import { believeProxies, isTrusted } from './http/proxies.ts'
import { openWeb } from './http/web.ts'
import { openGate } from './identity/access/gate.ts'
import { openVault } from './identity/access/vault.ts'
import { describeShape } from './intelligence/shaping/describe-shape.ts'
import { readShape } from './intelligence/shaping/shape.ts'
import { openBlobs } from './ports/blobs-open.ts'
import { openMailer } from './ports/mail.ts'
import { openOutbound } from './ports/outbound.ts'
import { resourceMap, resources, routes } from './registry.ts'
import type { Server } from './server.ts'
import { taskTypes } from './tasks.ts'

export interface Dependencies {
  // biome-ignore lint/suspicious/noExplicitAny: tables are known by their definitions
  readonly db: Kysely<any>
  readonly pool: pg.Pool
  readonly lookup?: Lookup
  readonly side: SideConnection
  waiting(): number
  readonly config: Config
  readonly log: Logger
  readonly sandboxes?: readonly Adapter[] | undefined
}

/** Favours speed over size, because clients wait for the compression too. */
const compression: FastifyCompressOptions = {
  global: false,
  threshold: 0,
  encodings: ['zstd', 'br', 'gzip', 'deflate'],
  zlibOptions: { level: 1 },
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
}

/** Every measured feed is a series in several metrics. */
const MAX_MEASURED_FEEDS = 1000

/** Builds the HTTP application, ready to listen. */
export async function buildApp(deps: Dependencies): Promise<FastifyInstance> {
  const { db, pool, lookup, side, waiting, config, log, sandboxes } = deps
  const { trustedProxies, proxyUserHeader } = config
  const isProxy = trustedProxies.length > 0 && ((address: string) => isTrusted(address, trustedProxies))
  const web = await openWeb()
  const addresses = addressesOf(routes)
  const app = createHttp(log, { isProxy, dialects: [taxiiDialect], addresses, ...(web && { page: web.answer }) })
  const vault = await openVault(config)
  const gate = await openGate({ db, pool, vault, config, log })
  const outbound = openOutbound(config.allowedNetworks)
  const modelPorts = openModelPorts(outbound, config.allowedNetworks, (line) => log.info(line, 'model request'))
  const { largestFile, feedFolders } = config
  const files = { blobs: openBlobs(config), largestFile, feedFolders }
  const outside = { outbound, modelPorts, mailer: openMailer(), publicUrl: config.url, ollama: config.ollama, ...files }
  const streams = openStreams(db, log)
  const shared = { db, vault, resources: resourceMap, taskTypes, lookup, streams, proxyUserHeader, sandboxes }
  const server: Server = { ...shared, ...outside }
  const metrics = createMetrics(pool, {
    waiting,
    runsByState: () => countRuns(db),
    feeds: () => readHealth(db, ['incoming_feeds', 'outgoing_feeds'], { limit: MAX_MEASURED_FEEDS }),
    followers: () => readFollowerStatus(db, followers),
    enrichers: () => readLaneStatus(db),
    detonators: () => readDetonatorLanes({ db, sandboxes }),
    playbooks: () => readPlaybookLanes(db),
  })
  const audit = openAudit(db, log)

  app.decorateRequest('caller', null)
  app.decorateRequest('pattern', '')
  app.addHook('onRequest', (request, reply, done) => {
    believeProxies(request, config)
    reply.headers(HEADERS).header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.pattern || (request.routeOptions.url ?? 'unknown')
    const { statusCode: status, elapsedTime } = reply
    metrics.observe({ kind: 'request', method: request.method, route, status, seconds: elapsedTime / 1000 })
    const line = {
      id: request.id,
      user: request.caller?.id,
      method: request.method,
      route,
      status,
      ms: Math.round(elapsedTime * 10) / 10,
    }
    log.info(line, 'request')
    // Entries are written later, in batches, and not as part of this request.
    if (isAudited(request)) outsideWork(() => audit.note(entryOf(request, reply)))
    done()
  })
  // Streams never end on their own, so closing the server would wait forever.
  app.addHook('preClose', async () => streams.close())
  app.addHook('onClose', () => gate.close())
  app.addHook('onClose', () => audit.close())
  app.addHook('onClose', () => modelPorts.close())
  app.addHook('onClose', () => outbound.close())
  await app.register(cookie)
  await app.register(compress, compression)

  for (const { url, routes, shadowed } of addresses.places) {
    for (const route of routes) serve(app, server, gate, route, url)
    if (shadowed.length > 0)
      app.route({ method: [...shadowed], url, handler: (_request, reply) => reply.callNotFound() })
  }
  serveHealth(app, { side, gate, metrics, config })
  serveDocs(app, {
    resources,
    routes,
    version,
    baseUrl: gate.baseUrl,
    customisation: async (request) => {
      const isSignedIn = await gate.authenticate(request).then(isDone, isRefused)
      if (!isSignedIn) return null
      const shape = await readShape(db)
      return { version: shape.version, describeIn: (document) => describeShape(document, shape) }
    },
  })
  web?.serve(app)
  return app
}

const isDone = () => true
const isRefused = () => false

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
