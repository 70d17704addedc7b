import type { Item } from '../../server/engine/context.ts'
import { collectorOf } from '../../server/feeds/collecting/collectors.ts'
import { INCOMING_TRANSPORTS, type IncomingTransport } from '../../server/feeds/transports/transports.ts'
import { type Network, readNetwork } from '../../server/ports/outbound/networks.ts'
import { openOutbound } from '../../server/ports/outbound.ts'

/** A piece as it is stored. */
export interface Collected {
  readonly name: string
  readonly text: string
  readonly contentType: string | null
  readonly signature: string | undefined
}

export const LOOPBACK = [readNetwork('127.0.0.0/8')].filter((network): network is Network => !!network)

type Short<T extends string> = T extends `eiq.incoming-transports.${infer S}` ? S : never

interface Run {
  readonly cursor?: Item | null
  readonly maxPieceBytes?: number
  readonly folders?: readonly string[]
  /** Runs between reading a piece and storing it. */
  readonly meanwhile?: () => void
  /** Ends like a crash after this many pieces. */
  readonly breaksAfter?: number
}

/** Runs collectors as feeds do: each piece is read completely before its cursor is kept. */
export function startCollecting() {
  const outbound = openOutbound(LOOPBACK)

  const collect = async (
    transport: Short<IncomingTransport>,
    given: object,
    { cursor: start = null, maxPieceBytes = 1024 * 1024, folders = [], meanwhile, breaksAfter }: Run = {},
  ) => {
    const name = `eiq.incoming-transports.${transport}` as const
    const configuration: Item = INCOMING_TRANSPORTS[name].configuration.parse(given)
    const collector = await collectorOf(name)
    const pieces: Collected[] = []
    const log: string[] = []
    const cursors: (Item | null)[] = []
    let cursor = start
    const { signal } = new AbortController()
    const line = (text: string) => void log.push(text)
    const collecting = { configuration, cursor, outbound, folders, maxPieceBytes, signal, log: line }
    for await (const { piece, cursor: next, stored } of collector(collecting)) {
      if (piece) {
        const text = Buffer.concat(await Array.fromAsync(piece.content)).toString()
        pieces.push({ name: piece.name, text, contentType: piece.contentType, signature: piece.signature })
        meanwhile?.()
      }
      // As the database stores it.
      cursor = JSON.parse(JSON.stringify(next))
      cursors.push(cursor)
      await stored?.()
      if (pieces.length === breaksAfter) break
    }
    return { pieces, cursor, cursors, log }
  }
  return { outbound, collect, stop: () => outbound.close() }
}
