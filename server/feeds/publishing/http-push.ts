import { dispositionOf } from '../../http/filename.ts'
import { TransportError } from '../collecting/collector.ts'
import { connectionOf, limitsOf } from '../collecting/connection.ts'
import { hostOf, statusErrorOf, transportErrorOf } from '../collecting/transport-errors.ts'
import type { HttpPushConfiguration } from '../transports/outgoing/http-push.ts'
import type { Carrier, Parcel } from './carrier.ts'

/**
 * Sends a block as the body of one request. A status of 200 to 299 after the last byte means that it has arrived; the body of the
 * response is not read.
 */
export const pushByHttp: Carrier<HttpPushConfiguration> = async (parcel, { configuration, outbound, signal }) => {
  const { url, method } = configuration
  const content = counted(parcel.open())
  const answer = await outbound
    .open(
      url,
      { method, headers: headersOf(parcel), body: content.bytes(), signal },
      // The response is not read, so its length does not matter.
      limitsOf(configuration, Number.POSITIVE_INFINITY),
      connectionOf(configuration),
    )
    .catch((error) => {
      throw transportErrorOf(error, url)
    })
  answer.close()
  const { status } = answer
  if (status >= 300 && status < 400)
    throw new TransportError('configuration', `${hostOf(url)} redirects to another address, which is not followed`)
  if (status < 200 || status > 299) throw statusErrorOf(answer, `block ${parcel.id}`)
  if (content.size() !== parcel.size)
    throw new TransportError('cut-off', `${hostOf(url)} answered ${status} before it had all of the block`)
}

/** The headers of a block. By its id, the receiver recognises a block that arrives a second time. */
function headersOf({ id, feed, filename, size, sha256, contentType, mediaType, itemsCount, signature }: Parcel) {
  const digest = Buffer.from(sha256, 'hex').toString('base64')
  return {
    'content-type': mediaType,
    'content-length': String(size),
    'content-disposition': dispositionOf(filename),
    'content-digest': `sha-256=:${digest}:`,
    // The name of the header above before RFC 9530.
    digest: `SHA-256=${digest}`,
    'x-corvus-feed': String(feed.id),
    'x-corvus-block': String(id),
    'x-corvus-content-type': contentType,
    'x-corvus-items': String(itemsCount),
    ...(signature !== null && { 'x-corvus-signature': Buffer.from(signature).toString('base64') }),
  }
}

function counted(pieces: AsyncIterable<Buffer>) {
  let size = 0
  return {
    size: () => size,
    bytes: async function* () {
      for await (const piece of pieces) {
        size += piece.length
        yield piece
      }
    },
  }
}
