import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { startBackground } from '../server/background.ts'
import { openVault } from '../server/identity/access/vault.ts'
import { openMailer } from '../server/ports/mail.ts'
import { resourceMap } from '../server/registry.ts'
import { taskTypes } from '../server/tasks.ts'
import type { startApp } from './app.ts'

type Corvus = Awaited<ReturnType<typeof startApp>>

/** A received email: its recipients, and its full decoded text. */
export interface Received {
  readonly to: readonly string[]
  readonly from: string
  readonly raw: string
  readonly text: string
  readonly subject: string
}

/** A mail server on this machine, which accepts everything unless the options say otherwise. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: async (stream, { envelope }, done) => {
      const parts: Buffer[] = []
      for await (const part of stream) parts.push(part as Buffer)
      const raw = Buffer.concat(parts).toString('utf8')
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      received.push({ to, from, raw, text: decoded(raw), subject: subjectOf(raw) })
      done()
    },
    ...options,
  })
  // Some tests make clients disconnect.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    /** Waits until this many emails have arrived, and returns all of them. */
    until: async (count: number): Promise<Received[]> => {
      for (const deadline = Date.now() + 30_000; received.length < count; await sleep(20)) {
        if (Date.now() > deadline) throw new Error(`${received.length} mails have come, not ${count}.`)
      }
      return received.splice(0)
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

/** Decodes quoted-printable, the encoding of the texts. */
const decoded = (raw: string): string =>
  bytes(
    raw
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  )

const bytes = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')

function subjectOf(raw: string): string {
  const header = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1]?.replaceAll(/\r\n\s*/g, ' ') ?? ''
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, text) => decoded(text.replaceAll('_', ' ')))
    .replaceAll(/=\?UTF-8\?B\?(.*?)\?=/gi, (_, text) => Buffer.from(text, 'base64').toString('utf8'))
}

/** Configures a server to send through this mail server. */
export const configureMail = (corvus: Corvus, port: number, rest: object = {}) =>
  corvus.call('PUT', 'configurations/email', {
    data: {
      from_email: 'corvus@example.org',
      reply_to: 'team@example.org',
      host: '127.0.0.1',
      port,
      security: 'none',
      ...rest,
    },
  })

const workers = new Set<{ stop(): Promise<void> }>()

/** A worker of an application, with the same secret key. */
export async function startMailWorker(corvus: Corvus): Promise<{ stop(): Promise<void> }> {
  const { stop } = await startBackground({
    server: {
      db: corvus.db,
      vault: await openVault(corvus.config),
      resources: resourceMap,
      taskTypes,
      mailer: openMailer(),
      publicUrl: corvus.config.url,
    },
    connection: { connectionString: corvus.url },
    log: pino({ level: process.env.CORVUS_LOG_LEVEL ?? 'silent' }),
  })
  const worker = {
    stop: async () => {
      if (workers.delete(worker)) await stop()
    },
  }
  workers.add(worker)
  return worker
}

/** Stops the workers that failed tests have left behind. */
export async function stopMailWorkers(): Promise<void> {
  await Promise.all([...workers].map((worker) => worker.stop()))
}

/** Creates a user with an email address, and returns their id. */
export async function makeUser({ call }: Corvus, username: string, rest: object = {}): Promise<number> {
  const user = { username, email: `${username}@example.org`, ...rest }
  const { status, body } = await call('POST', 'users', { data: user })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}

/** The emails of a user, newest first, as administrators see them. */
export async function mailsTo({ call }: Corvus, user: number) {
  const { body } = await call('GET', `mails?filter[user]=${user}&sort=-id`)
  return body.data as { id: number; kind: string; state: string; error_detail: string | null; task_run: string }[]
}
