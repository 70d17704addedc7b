import type { Opened } from '../../ports/outbound.ts'
import type { ConnectionSettings } from '../transports/connection.ts'
import { type Collecting, TransportError } from './collector.ts'
import { connectionOf, connectionTo, limitsOf } from './connection.ts'
import { bodyOf, hostOf, statusErrorOf, transportErrorOf } from './transport-errors.ts'

/** A request for a document. */
interface DocumentRequest {
  readonly url: string
  /** What it is, for error messages. */
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly mostBytes: number
  /** The statuses other than 200 that are not errors. */
  readonly statuses?: readonly number[]
}

/** Requests documents from the server of a feed; every failure is a `TransportError`. */
export interface Fetcher {
  /** Opens a document; the caller must read its body or close it. */
  open(request: DocumentRequest): Promise<Opened>
  /** Reads a whole document. */
  read(request: DocumentRequest): Promise<{ readonly opened: Opened; readonly bytes: Buffer }>
  /** Reads a whole JSON document; `value` is undefined unless the status is 200. */
  readJson(
    asked: DocumentRequest,
  ): Promise<{ readonly opened: Opened; readonly bytes: Buffer; readonly value: unknown }>
}

/** Creates the fetcher of a feed, which sends credentials only to the origin of its address. */
export function fetcherOf({ configuration, outbound, signal }: Collecting<ConnectionSettings>): Fetcher {
  const connection = connectionOf(configuration)
  const open: Fetcher['open'] = async ({ url, what, headers = {}, mostBytes, statuses = [] }) => {
    const own = connectionTo(connection, configuration.url, url)
    try {
      const opened = await outbound.open(url, { headers, signal }, limitsOf(configuration, mostBytes), own)
      if (opened.status === 200 || statuses.includes(opened.status)) return opened
      opened.close()
      throw statusErrorOf(opened, what)
    } catch (error) {
      throw transportErrorOf(error, url)
    }
  }
  const read: Fetcher['read'] = async (request) => {
    const opened = await open(request)
    return { opened, bytes: Buffer.concat(await Array.fromAsync(bodyOf(opened))) }
  }
  const readJson: Fetcher['readJson'] = async (request) => {
    const { opened, bytes } = await read(request)
    if (opened.status !== 200) return { opened, bytes, value: undefined }
    return { opened, bytes, value: parsed(bytes, request) }
  }
  return { open, read, readJson }
}

function parsed(bytes: Buffer, { url, what }: DocumentRequest): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new TransportError('malformed', `${hostOf(url)} did not return JSON for ${what}`)
  }
}

/** Bytes in memory as the content of a piece. */
export async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
