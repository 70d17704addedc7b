import { createHash } from 'node:crypto'
import type { Address, Attachment, Email } from 'postal-mime'
import { DocumentError } from '../document.ts'
import type { FoundAttachment, Reader } from '../finding.ts'
import { decodeBytes } from './decode-text.ts'
import { charsetNotes, unreadableIn } from './email-charsets.ts'
import { htmlText } from './html-text.ts'
import { markdownText } from './markdown-text.ts'
import { knownObservable, reportOf } from './report.ts'
import { timeOf } from './time-of.ts'
import { wholeOf } from './whole.ts'

/** Limits per e-mail. */
export const EMAIL_LIMITS = {
  depth: 32,
  /** Nesting depth of e-mails. */
  mails: 5,
  headers: 1024 * 1024,
  attachments: 200,
  attachmentBytes: 40 * 1024 * 1024,
  /** Bytes of a text attachment that are searched. */
  text: 1024 * 1024,
}

/** Headers shown above the text: sender, recipients and route. */
const SHOWN_HEADERS = ['from', 'sender', 'reply-to', 'return-path', 'to', 'cc', 'date', 'x-originating-ip', 'received']
const SHOWN_HEADER_LIMIT = 60

type Observables = NonNullable<Parameters<typeof reportOf>[0]['observables']>

/** Reads an e-mail as a report with its headers and texts, its attachments, and the observables in all of them. */
export const readEmail: Reader = async function* (document) {
  const bytes = await wholeOf(document)
  const email = await parsed(bytes)
  const losses: string[] = []
  const attachments = attachmentsOf(email.attachments, losses)
  const own = [headersOf(email), bodyOf(email)].filter((part) => part !== '').join('\n\n')
  losses.push(...unreadableIn(own))
  const notes = [...charsetNotes(bytes)]
  const text = [own, ...textsIn(email.attachments, losses, notes)].filter((part) => part !== '').join('\n\n')
  yield await reportOf({
    bytes,
    name: document.name,
    titles: [email.subject],
    text,
    // A message id looks like an e-mail address but is not one.
    preface: email.messageId && `Message-ID: ${email.messageId.slice(0, 1_000)}`,
    timestamp: timeOf(email.date),
    observables: [...observablesOf(email), ...attachments.flatMap(hashesOf)],
    attachments,
    losses,
    notes,
  })
}

/** The parser is loaded with the first e-mail. */
async function parsed(bytes: Buffer): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime')
  const { depth, mails, headers } = EMAIL_LIMITS
  try {
    return await PostalMime.parse(bytes, {
      maxNestingDepth: depth,
      maxRfc822NestingDepth: mails,
      maxHeadersSize: headers,
      attachmentEncoding: 'arraybuffer',
    })
  } catch (error) {
    throw new DocumentError(`The e-mail cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function headersOf({ headers, subject }: Email): string {
  const lines = headers
    .filter(({ key }) => SHOWN_HEADERS.includes(key))
    .slice(0, SHOWN_HEADER_LIMIT)
    .map(({ originalKey, value }) => `${originalKey}: ${value.replace(/\s+/g, ' ').slice(0, 2_000)}`)
  return [...(subject ? [`Subject: ${subject}`] : []), ...lines].join('\n')
}

/** Returns the plain text, or the visible text of the HTML part if there is none. Link targets always come from the HTML part. */
function bodyOf({ text = '', html = '' }: Email): string {
  const page = html === '' ? '' : htmlText(html, 'all').text
  if (text.trim() === '') return page
  const targets = [...new Set(page.match(/<(?:https?|ftp):[^\s<>]{1,4096}>/gi) ?? [])].filter(
    (target) => !text.includes(target.slice(1, -1)),
  )
  return [text, ...targets].join('\n')
}

function textsIn(attachments: readonly Attachment[], losses: string[], notes: string[]): string[] {
  return attachments.slice(0, EMAIL_LIMITS.attachments).flatMap(({ mimeType, filename, content }) => {
    const read = READABLE[mimeType]
    const bytes = bytesOf(content)
    if (!read || bytes.length > EMAIL_LIMITS.text) return []
    try {
      const name = filename ?? 'attachment'
      const decoded = decodeBytes(bytes)
      losses.push(...decoded.losses.map((loss) => `attachment '${name}': ${loss}`))
      notes.push(...decoded.notes.map((note) => `Attachment '${name}': ${note}`))
      return [`${name}:\n${read(decoded.text)}`]
    } catch {
      // An attachment that claims to be text but is not stays a plain attachment.
      return []
    }
  })
}

const READABLE: Readonly<Record<string, (text: string) => string>> = {
  'text/csv': (text) => text,
  'text/html': (html) => htmlText(html, 'all').text,
  'text/markdown': (markdown) => markdownText(markdown).text,
  'text/plain': (text) => text,
}

function attachmentsOf(attachments: readonly Attachment[], losses: string[]): FoundAttachment[] {
  const kept: FoundAttachment[] = []
  let size = 0
  for (const [i, { filename, content, rfc822DepthExceeded }] of attachments.entries()) {
    const bytes = bytesOf(content)
    const name = attachmentName(filename, i)
    size += bytes.length
    if (kept.length >= EMAIL_LIMITS.attachments || size > EMAIL_LIMITS.attachmentBytes) {
      losses.push(`attachment '${name}': omitted because the attachments are too many or too large`)
    } else kept.push({ filename: name, bytes })
    if (rfc822DepthExceeded) losses.push(`attachment '${name}': not read because e-mails are nested too deeply`)
  }
  return kept
}

const attachmentName = (filename: string | null, i: number): string => {
  const name = (filename ?? '')
    .toWellFormed()
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\p{Cc}/gu, '_')
    .trim()
    .slice(0, 255)
  return name === undefined || name === '' || /^\.+$/.test(name) ? `attachment-${i + 1}` : name
}

const bytesOf = (content: Attachment['content']): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content)
    : content instanceof ArrayBuffer
      ? Buffer.from(content)
      : Buffer.from(content)

function hashesOf({ filename, bytes }: FoundAttachment): Observables {
  const context = `Attachment ${filename}`
  const hash = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex')
  return [
    knownObservable('file', filename, context),
    knownObservable('hash-md5', hash('md5'), context),
    knownObservable('hash-sha1', hash('sha1'), context),
    knownObservable('hash-sha256', hash('sha256'), context),
  ].filter((one) => one !== undefined)
}

/** Returns the people in the headers, and the subject. */
function observablesOf({ subject, from, sender, replyTo = [], to = [], cc = [], returnPath }: Email): Observables {
  const people: readonly [string, readonly (Address | undefined)[]][] = [
    ['From', [from]],
    ['Sender', [sender]],
    ['Reply-To', replyTo],
    ['To', to],
    ['Cc', cc],
  ]
  const mailboxes = people.flatMap(([header, addresses]) =>
    addresses
      .flatMap((address) => address?.group ?? (address ? [address] : []))
      .slice(0, 500)
      .map(({ name, address }) => knownObservable('email', address, `${header}: ${name} <${address}>`)),
  )
  return [
    knownObservable('email-subject', subject, `Subject: ${subject}`),
    ...mailboxes,
    knownObservable('email', returnPath?.replace(/[<>\s]/g, ''), `Return-Path: ${returnPath}`),
  ].filter((one) => one !== undefined)
}
