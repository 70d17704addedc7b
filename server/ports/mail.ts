import { Readable } from 'node:stream'

/** The mail server, the sender address, and the credentials. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: 'none' | 'starttls' | 'tls'
  readonly username: string | null
  readonly password: string | null
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string | null
}

/** A file attached to a mail. */
export interface Attachment {
  readonly filename: string
  readonly mediaType: string
  readonly size: number
  open(): AsyncIterable<Uint8Array>
}

export interface Message {
  /** The same for every attempt, so that mail systems recognise a duplicate. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments?: readonly Attachment[]
}

/** Why a mail was not sent, in our own words, because a server's reply may repeat the content. */
export interface Failure {
  readonly reason: string
  /**
   * `refused`: this mail will never be accepted. `deferred`: retry this mail later. `down`: no mail can be sent for
   * now.
   */
  readonly kind: 'refused' | 'deferred' | 'down'
}

/** Sends several mails over one connection. */
export interface Sender {
  /** Returns undefined once the server has accepted the mail. */
  send(message: Message): Promise<Failure | undefined>
  close(): void
}

export interface Mailer {
  open(server: MailServer): Promise<Sender>
}

/** The time limit for one step; all steps together may take a multiple of it. */
const STEP_TIMEOUT_MS = 10_000
const MAX_STEP_TIMEOUTS = 3
/** The minimum transfer rate assumed for attachments: about half of a slow connection. */
const MIN_BYTES_PER_MS = 50

/**
 * Sends mail over SMTP. Administrators choose the mail server, and most are on private networks, so any address may
 * be called.
 */
export const openMailer = (patienceMs = STEP_TIMEOUT_MS): Mailer => ({ open: (server) => open(server, patienceMs) })

async function open(server: MailServer, patienceMs: number): Promise<Sender> {
  // Nodemailer is loaded on first use, because many installations send no mail.
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
      // The idle timeout alone is not enough: a server that sends a little now and then would never exceed it.
      const size = attachments.reduce((sum, attachment) => sum + attachment.size, 0)
      const patience = MAX_STEP_TIMEOUTS * patienceMs + size / MIN_BYTES_PER_MS
      const cutOff = setTimeout(() => transport.close({ force: true }), patience)
      try {
        await transport.sendMail({
          from: { ...from, name: singleLine(from.name) },
          // As objects, so that addresses are not parsed as address lists.
          to: { name: '', address: to },
          ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
          messageId: `<${id}@${from.address.split('@')[1]}>`,
          subject: singleLine(subject),
          text,
          html,
          attachments: attachments.map(attachmentOf),
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

/** Base64-encoded, so that no server on the way alters line endings. */
const attachmentOf = ({ filename, mediaType, open: read }: Attachment) => ({
  filename: singleLine(filename),
  contentType: mediaType,
  contentTransferEncoding: 'base64' as const,
  content: Readable.from(read(), { objectMode: false }),
})

/** Replaces characters that could end a header. */
const singleLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

interface Fault {
  readonly code?: unknown
  /** The system's error code. */
  readonly originalCode?: unknown
  readonly command?: unknown
  readonly responseCode?: unknown
}

function failureOf({ code, originalCode = code, command, responseCode }: Fault, { host, port }: MailServer): Failure {
  const status = Number.isInteger(responseCode) ? Number(responseCode) : 0
  const answered = status > 0 ? ` It answered ${status}.` : ''
  if (code === 'EAUTH') {
    return { kind: 'down', reason: `The mail server rejected the username or password.${answered}` }
  }
  if (code === 'ETLS')
    return { kind: 'down', reason: `The mail server does not offer an encrypted connection.${answered}` }
  if (code === 'EENVELOPE' && command === 'MAIL FROM') {
    return { kind: 'down', reason: `The mail server rejected the sender's address.${answered}` }
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    const what = command === 'RCPT TO' ? "the recipient's address" : 'the mail'
    const isFinal = status >= 500 || status === 0
    return { kind: isFinal ? 'refused' : 'deferred', reason: `The mail server rejected ${what}.${answered}` }
  }
  const plain = typeof originalCode === 'string' && /^[A-Z0-9_]{1,60}$/.test(originalCode) ? ` (${originalCode})` : ''
  return { kind: 'down', reason: `The mail server ${host}:${port} cannot be reached${plain}.${answered}` }
}
