import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { missing } from './engine/errors.ts'
import { isLocal } from './engine/is-local.ts'
import type { Gate } from './engine/serve.ts'
import type { Metrics } from './metrics.ts'

interface Parts {
  readonly pool: pg.Pool
  readonly gate: Gate
  readonly metrics: Metrics
}

/** `/health/live`: the process answers. `/health/ready`: it can serve. `/metrics`: for Prometheus. */
export function serveHealth(app: FastifyInstance, { pool, gate, metrics }: Parts): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (_request, reply) => {
    const isReady = !isClosing && (await answers(pool))
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : isClosing ? 'stopping' : 'no database' })
  })
  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) {
      const { permissions } = await gate.authenticate(request)
      if (!permissions.has('read configurations')) throw missing(['read configurations'])
    }
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

/** A probe must not hang on a database that does. */
async function answers(pool: pg.Pool): Promise<boolean> {
  const asked = pool.query('select 1').then(
    () => true,
    () => false,
  )
  const patience = new Promise<boolean>((resolve) => setTimeout(resolve, 2000, false).unref())
  return Promise.race([asked, patience])
}
