import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { SideConnection } from '../database/side-connection.ts'
import { missing } from '../engine/errors.ts'
import type { Gate } from '../engine/serve.ts'
import type { Metrics } from './metrics.ts'
import { isMetricsReader } from './proxies.ts'

interface Parts {
  readonly side: SideConnection
  readonly gate: Gate
  readonly metrics: Metrics
  readonly config: Pick<Config, 'metricsNetworks' | 'trustedProxies'>
}

/** `/health/live`: the process responds. `/health/ready`: it can serve requests. `/metrics`: for Prometheus. */
export function serveHealth(app: FastifyInstance, { side, gate, metrics, config }: Parts): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const isReady = !isClosing && (await answers(side))
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : isClosing ? 'stopping' : 'no database' })
  })
  app.get('/metrics', async (request, reply) => {
    if (!isMetricsReader(request, config)) {
      const { permissions } = await gate.authenticate(request)
      if (!permissions.has('read configurations')) throw missing(['read configurations'])
    }
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/** A probe must neither hang with the database nor wait for pool connections. */
async function answers(side: SideConnection): Promise<boolean> {
  const asked = side.query('select 1').then(
    () => true,
    () => false,
  )
  const patience = new Promise<boolean>((resolve) => setTimeout(resolve, 2000, false).unref())
  return Promise.race([asked, patience])
}
