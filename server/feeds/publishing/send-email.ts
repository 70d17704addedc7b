import { createHash } from 'node:crypto'
import { type Letter, write } from '../../mail/letter.ts'
import { type Attachment, openSender } from '../../mail/sender.ts'
import { TransportError } from '../collecting/collector.ts'
import type { SendEmailConfiguration } from '../transports/outgoing/send-email.ts'
import type { Carrier, Parcel } from './carrier.ts'

/**
 * Mails a block to each recipient separately, so that recipients do not learn of each other. If one fails, those who have it do not get
 * it again. The block has arrived when all recipients were tried and at least one accepted it.
 */
export const sendByMail: Carrier<SendEmailConfiguration> = async (parcel, { server, configuration, signal, log }) => {
  const { recipients, subject, most_megabytes } = configuration
  if (parcel.size > most_megabytes * 1_000_000)
    throw new TransportError(
      'too-large',
      `the block has ${parcel.size} bytes, but the maximum size is ${most_megabytes} MB`,
    )
  const opened = await openSender(server)
  if ('lacks' in opened) throw new TransportError('configuration', opened.lacks)
  const letter = { ...write(letterOf(parcel, subject)), attachments: attachmentsOf(parcel) }
  const refused: string[] = []
  try {
    for (const to of [...new Set(recipients)].filter((recipient) => !parcel.reached.includes(recipient))) {
      signal.throwIfAborted()
      const failure = await opened.sender.send({ id: idOf(parcel, to), to, ...letter })
      if (failure === undefined) await parcel.reach(to)
      else if (failure.kind === 'refused') refused.push(failure.reason)
      else throw new TransportError(failure.kind === 'down' ? 'unreachable' : 'server', failure.reason)
    }
  } finally {
    opened.sender.close()
  }
  if (refused.length === new Set(recipients).size) throw new TransportError('server', refused[0] ?? '')
  if (refused.length > 0) log(`Block ${parcel.id} was not accepted for ${refused.length} recipients: ${refused[0]}`)
}

/** The message id: the same for every attempt with a block and recipient, and unique among installations. */
function idOf({ id, sha256, createdAt }: Parcel, to: string): string {
  const hash = createHash('sha256').update(`${sha256} ${createdAt} ${to}`).digest('hex')
  return `corvus.block.${id}.${hash.slice(0, 32)}`
}

function letterOf(
  { id, feed, filename, size, sha256, contentType, itemsCount, createdAt, signature }: Parcel,
  subject: string,
): Letter {
  return {
    subject: subject === '' ? `${feed.name}: ${filename}` : subject,
    paragraphs: [
      `This is block ${id} of the feed ‘${feed.name}’.`,
      `File: ${filename}`,
      `Content type: ${contentType}`,
      `Items: ${itemsCount}`,
      `Bytes: ${size}`,
      `SHA-256: ${sha256}`,
      `Created at: ${createdAt}`,
      ...(signature === null ? [] : ['Its OpenPGP signature is the second attachment.']),
    ],
  }
}

function attachmentsOf({ filename, mediaType, size, signature, open }: Parcel): Attachment[] {
  const content = { filename, mediaType, size, open }
  if (signature === null) return [content]
  const bytes = Buffer.from(signature)
  return [
    content,
    {
      filename: `${filename}.asc`,
      mediaType: 'application/pgp-signature',
      size: bytes.length,
      open: async function* () {
        yield bytes
      },
    },
  ]
}
