import type { HttpDownloadConfiguration as Configuration } from '../transports/incoming/http-download.ts'
import { type Collector, TransportError } from './collector.ts'
import { documentName } from './document-name.ts'
import { type Fetcher, fetcherOf } from './fetcher.ts'
import { bodyOf, hostOf } from './transport-errors.ts'
import { conditionsOf, validatorsOf } from './validators.ts'

const MAX_SIGNATURE_BYTES = 64 * 1024
const SIGNATURE_HEADER = '-----BEGIN PGP SIGNATURE-----'

/** Downloads a document when it has changed. */
export const downloadDocument: Collector<Configuration> = async function* (collecting) {
  const { configuration, cursor, maxPieceBytes, log } = collecting
  const { url, signature_url } = configuration
  const fetcher = fetcherOf(collecting)
  const conditions = conditionsOf(cursor, url)
  const statuses = Object.keys(conditions).length > 0 ? [304] : []
  const opened = await fetcher.open({
    url,
    what: 'the document',
    headers: conditions,
    mostBytes: maxPieceBytes,
    statuses,
  })
  try {
    if (opened.status === 304) {
      log('The document has not changed.')
      return
    }
    const piece = {
      name: documentName(opened),
      content: bodyOf(opened),
      contentType: opened.headers['content-type'] ?? null,
      signature: signature_url === null ? undefined : await readSignature(fetcher, signature_url),
    }
    yield { piece, cursor: validatorsOf(url, opened.headers) }
  } finally {
    opened.close()
  }
}

/** A configured signature that cannot be fetched is an error: without it the document would be stored as unsigned. */
async function readSignature(fetcher: Fetcher, url: string): Promise<string> {
  const { bytes } = await fetcher.read({ url, what: 'the signature', mostBytes: MAX_SIGNATURE_BYTES })
  const start = bytes.subarray(0, 2000).toString('latin1')
  if (start.includes(SIGNATURE_HEADER)) return bytes.toString('utf8')
  // The first bit of every OpenPGP packet is set.
  if ((bytes[0] ?? 0) < 0x80) throw new TransportError('signature', `${hostOf(url)} did not return a signature`)
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `${SIGNATURE_HEADER}\n\n${lines.join('\n')}\n-----END PGP SIGNATURE-----\n`
}
