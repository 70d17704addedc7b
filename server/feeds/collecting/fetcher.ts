import type { Opened } from '../../ports/outbound.ts'
import { type Collecting, TransportError } from './collector.ts'
import { type Calling, connectionOf, connectionTo, limitsOf } from './connection.ts'
import { bodyOf, hostOf, statusErrorOf, transportErrorOf } from './transport-faults.ts'

/** A document that is asked for. */
interface Asked {
  readonly url: string
  /** What it is, for people. */
  readonly what: string
  readonly headers?: Readonly<Record<string, string>>
  readonly mostBytes: number
  /** The answers that are none of a fault, beside 200. */
  readonly statuses?: readonly number[]
}

/** Asks the server of a feed for documents; every fault is a `TransportError`. */
export interface Fetcher {
  /** Whoever opens a document reads its body or closes it. */
  open(asked: Asked): Promise<Opened>
  /** Reads a document whole. */
  read(asked: Asked): Promise<{ readonly opened: Opened; readonly bytes: Buffer }>
  /** Reads a document of JSON whole. */
  readJson(asked: Asked): Promise<{ readonly opened: Opened; readonly bytes: Buffer; readonly value: unknown }>
}

/** The fetcher of a feed: proof of who calls goes to the server of its address, and to no other. */
export function fetcherOf({ configuration, outbound, signal }: Collecting<Calling>): Fetcher {
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
  const read: Fetcher['read'] = async (asked) => {
    const opened = await open(asked)
    return { opened, bytes: Buffer.concat(await Array.fromAsync(bodyOf(opened))) }
  }
  const readJson: Fetcher['readJson'] = async (asked) => {
    const { opened, bytes } = await read(asked)
    if (opened.status !== 200) return { opened, bytes, value: undefined }
    return { opened, bytes, value: parsed(bytes, asked) }
  }
  return { open, read, readJson }
}

function parsed(bytes: Buffer, { url, what }: Asked): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new TransportError('malformed', `${hostOf(url)} did not answer with JSON for ${what}`)
  }
}

/** Bytes that are there, as the content of a piece. */
export async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
