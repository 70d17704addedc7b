import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { openModelPorts } from './ai/calling/model-ports.ts'
import { buildApp } from './app.ts'
import { startBackground } from './background.ts'
import { type Config, readConfig, root } from './config.ts'
import { connect, migrate } from './database/database.ts'
import { createLog } from './http/log.ts'
import { openVault } from './identity/access/vault.ts'
import { openBlobs, readyBlobs } from './ports/blobs-open.ts'
import { openMailer } from './ports/mail.ts'
import { openOutbound } from './ports/outbound.ts'
import { openPostgres } from './ports/postgres.ts'
import { StartError } from './ports/start-error.ts'
import { resourceMap } from './registry.ts'
import { prepare } from './seed.ts'
import { taskTypes } from './tasks.ts'

type Administrator = { username: string; password: string }

const GRACE_MS = 15_000

type Role = 'serve' | 'worker'

interface Surroundings {
  readonly config: Config
  readonly log: Logger
  readonly stop: AbortSignal
  say(line: string): void
}

/** Runs Corvus in this process until it is stopped. */
export async function start(role: Role): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  await run(role, { config, log, stop: stopSignal(log), say: console.log })
}

/** Runs Corvus until it is stopped: `serve` handles requests, `worker` only does background work. */
export async function run(role: Role, { config, log, stop, say }: Surroundings): Promise<void> {
  // Disposed of in reverse order, however this function is left.
  await using steps = new AsyncDisposableStack()
  try {
    const postgres = await openPostgres(config, log, stop)
    steps.defer(() => logged(log, postgres.stop()))
    const { close, ...database } = connect(postgres.connection, { ...config, log })
    const { db, pool } = database
    steps.defer(() => logged(log, close()))
    await migrate(pool, `${root}/migrations`)
    const { firstAdministrator } = await prepare(db, config)
    const announcement = announce(config, firstAdministrator, say)
    // The password exists only in this variable, so it must be shown even if the port is taken.
    steps.defer(announcement.credentials)
    stop.throwIfAborted()
    const outbound = openOutbound(config.allowedNetworks)
    steps.defer(() => logged(log, outbound.close()))
    const modelPorts = openModelPorts(outbound, config.allowedNetworks)
    steps.defer(() => logged(log, modelPorts.close()))
    const { largestFile, feedFolders } = config
    const files = { blobs: openBlobs(config), largestFile, feedFolders }
    await readyBlobs(files.blobs)
    const outside = {
      outbound,
      modelPorts,
      mailer: openMailer(),
      publicUrl: config.url,
      ollama: config.ollama,
      ...files,
    }
    const server = { db, vault: await openVault(config), resources: resourceMap, taskTypes, ...outside }
    const background = await startBackground({ server, connection: postgres.connection, log })
    steps.defer(() => logged(log, background.stop()))
    if (role === 'worker') announcement.working()
    else {
      const app = await buildApp({ ...database, config, log })
      steps.defer(() => logged(log, closeApp(app)))
      announcement.ready(await listen(app, config))
    }
    if (!stop.aborted) await once(stop, 'abort')
  } catch (error) {
    if (!stop.aborted) throw error
  }
}

/** Aborts when Corvus must stop: on a signal, the death of its parent process, or an uncaught error. */
function stopSignal(log: Logger): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, abort)
  if (process.channel) process.on('disconnect', abort)
  process.on('uncaughtException', (error) => {
    log.fatal(error, 'Corvus stops because of an uncaught error')
    process.exitCode = 1
    abort()
  })
  // A closed terminal or pipe is no reason to stop serving.
  process.stdout.on('error', () => {})
  return controller.signal
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<number> {
  try {
    return Number(new URL(await app.listen({ host, port })).port) || port
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} is already in use on ${host}. Stop the other program or set CORVUS_PORT to another port.`,
      )
    }
    if (code === 'EACCES') {
      throw new StartError(`This user may not listen on port ${port}. Set CORVUS_PORT to a port above 1023.`)
    }
    if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) {
      throw new StartError(`CORVUS_HOST is ${host}, which is not an address of this machine.`)
    }
    throw error
  }
}

/** Lets running requests finish, and closes those that take too long. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  // Idle keep-alive connections would delay the end.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  await app.close()
  clearTimeout(cutOff)
  clearInterval(sweep)
}

function announce(
  { host, port, url, adminPassword }: Config,
  administrator: Administrator | undefined,
  say: Surroundings['say'],
) {
  let hasSaid = administrator === undefined
  const credentials = () => {
    if (hasSaid) return
    hasSaid = true
    const password =
      adminPassword === undefined ? `${administrator?.password}  (shown only once)` : 'as in CORVUS_ADMIN_PASSWORD'
    say(`\n  Administrator  ${administrator?.username}\n  Password       ${password}\n`)
  }
  return {
    credentials,
    ready: (boundPort = port) => {
      say(`Corvus is ready at ${url ?? `http://${displayHost(host)}:${boundPort}`}`)
      credentials()
    },
    working: () => say('A Corvus worker is ready'),
  }
}

/** The host in a form that a browser on this machine accepts. */
function displayHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

async function logged(log: Logger, work: Promise<void>): Promise<void> {
  await work.catch((error) => log.error(error))
}
