import type { HttpDownloadConfiguration as Configuration } from '../transports/incoming/http-download.ts'
import { type Collector, TransportError } from './collector.ts'
import { documentName } from './document-name.ts'
import { type Fetcher, fetcherOf } from './fetcher.ts'
import { bodyOf, hostOf } from './transport-faults.ts'
import { conditionsOf, validatorsOf } from './validators.ts'

const SIGNATURE_BYTES = 64 * 1024
const ARMOR = '-----BEGIN PGP SIGNATURE-----'

/** Downloads a document when it has changed. */
export const downloadDocument: Collector<Configuration> = async function* (collecting) {
  const { configuration, cursor, largest, log } = collecting
  const { url, signature_url } = configuration
  const fetcher = fetcherOf(collecting)
  const conditions = conditionsOf(cursor, url)
  const statuses = Object.keys(conditions).length > 0 ? [304] : []
  const opened = await fetcher.open({ url, what: 'the document', headers: conditions, mostBytes: largest, statuses })
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

/** A signature that is announced and cannot be had is a fault: without it the document would be stored as not signed. */
async function readSignature(fetcher: Fetcher, url: string): Promise<string> {
  const { bytes } = await fetcher.read({ url, what: 'the signature', mostBytes: SIGNATURE_BYTES })
  const start = bytes.subarray(0, 2000).toString('latin1')
  if (start.includes(ARMOR)) return bytes.toString('utf8')
  // The first bit of a packet is set.
  if ((bytes[0] ?? 0) < 0x80) throw new TransportError('signature', `${hostOf(url)} answered with what is no signature`)
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `${ARMOR}\n\n${lines.join('\n')}\n-----END PGP SIGNATURE-----\n`
}
