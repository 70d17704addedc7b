import { Readable } from 'node:stream'

/** Which server sends mails, from whom, and with which proof. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: 'none' | 'starttls' | 'tls'
  readonly username: string | null
  readonly password: string | null
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string | null
}

/** A file that goes with a mail. */
export interface Attachment {
  readonly filename: string
  readonly mediaType: string
  readonly size: number
  open(): AsyncIterable<Uint8Array>
}

export interface Message {
  /** The same for every attempt at it, so that a mail that came twice is known for one. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments?: readonly Attachment[]
}

/** Why a mail was not sent, in our own words: what servers answer may repeat what was sent. */
export interface Failure {
  readonly reason: string
  /** Refused: this mail never will be. Deferred: this one, later. Down: no mail will be, for now. */
  readonly kind: 'refused' | 'deferred' | 'down'
}

/** Sends one mail after the other over one connection. */
export interface Sender {
  /** Undefined when the server took it. */
  send(message: Message): Promise<Failure | undefined>
  close(): void
}

export interface Mailer {
  open(server: MailServer): Promise<Sender>
}

/** How long one step may take, and how many of these all of them together. */
const PATIENCE_MS = 10_000
const MOST_STEPS = 3
/** What goes with a mail may take its time, too: about half of what a slow line carries. */
const LEAST_BYTES_PER_MS = 50

/** Sends mail over SMTP. Mail servers are mostly private, and administrators choose them: any address may be called. */
export const openMailer = (patienceMs = PATIENCE_MS): Mailer => ({ open: (server) => open(server, patienceMs) })

async function open(server: MailServer, patienceMs: number): Promise<Sender> {
  // Many installations send no mail: what it takes is loaded with the first one.
  const { createTransport } = await import('nodemailer')
  const { host, port, security, username, password, from, replyTo } = server
  const transport = createTransport({
    pool: true,
    maxConnections: 1,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    dnsTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ id, to, subject, text, html, attachments = [] }) => {
      // A server that says a little now and then would never be silent for long enough.
      const size = attachments.reduce((sum, attachment) => sum + attachment.size, 0)
      const patience = MOST_STEPS * patienceMs + size / LEAST_BYTES_PER_MS
      const cutOff = setTimeout(() => transport.close({ force: true }), patience)
      try {
        await transport.sendMail({
          from: { ...from, name: oneLine(from.name) },
          // As objects, addresses are not read as lists of them.
          to: { name: '', address: to },
          ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
          messageId: `<${id}@${from.address.split('@')[1]}>`,
          subject: oneLine(subject),
          text,
          html,
          attachments: attachments.map(enclosed),
          headers: { 'auto-submitted': 'auto-generated' },
        })
        return undefined
      } catch (error) {
        return failureOf(error as Fault, server)
      } finally {
        clearTimeout(cutOff)
      }
    },
    close: () => transport.close({ force: true }),
  }
}

/** As base64, so that no server on the way changes a line end of it. */
const enclosed = ({ filename, mediaType, open: read }: Attachment) => ({
  filename: oneLine(filename),
  contentType: mediaType,
  contentTransferEncoding: 'base64' as const,
  content: Readable.from(read(), { objectMode: false }),
})

/** A text without what could end a header. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

interface Fault {
  readonly code?: unknown
  /** What the system itself said. */
  readonly originalCode?: unknown
  readonly command?: unknown
  readonly responseCode?: unknown
}

function failureOf({ code, originalCode = code, command, responseCode }: Fault, { host, port }: MailServer): Failure {
  const status = Number.isInteger(responseCode) ? Number(responseCode) : 0
  const answered = status > 0 ? ` It answered ${status}.` : ''
  if (code === 'EAUTH') {
    return { kind: 'down', reason: `The mail server does not accept the username and the password.${answered}` }
  }
  if (code === 'ETLS')
    return { kind: 'down', reason: `There is no encrypted connection to the mail server.${answered}` }
  if (code === 'EENVELOPE' && command === 'MAIL FROM') {
    return { kind: 'down', reason: `The mail server does not accept the sender's address.${answered}` }
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    const what = command === 'RCPT TO' ? "the recipient's address" : 'the mail'
    const isFinal = status >= 500 || status === 0
    return { kind: isFinal ? 'refused' : 'deferred', reason: `The mail server does not accept ${what}.${answered}` }
  }
  const plain = typeof originalCode === 'string' && /^[A-Z0-9_]{1,60}$/.test(originalCode) ? ` (${originalCode})` : ''
  return { kind: 'down', reason: `The mail server ${host}:${port} cannot be reached${plain}.${answered}` }
}
