import type { Item } from '../../engine/resource.ts'
import type { Outbound } from '../../ports/outbound.ts'
import type { Server } from '../../server.ts'

/** A content block on its way to those who consume it. */
export interface Parcel {
  readonly id: number
  readonly feed: { readonly id: number; readonly name: string }
  readonly filename: string
  readonly size: number
  readonly sha256: string
  /** What it is: a URN, and the media type that goes with it. */
  readonly contentType: string
  readonly mediaType: string
  readonly itemsCount: number
  readonly createdAt: string
  /** A detached OpenPGP signature, armored. */
  readonly signature: string | null
  /** How often it was tried to bring it, this time included. */
  readonly attempt: number
  /** Which of several recipients have it already, from an earlier attempt. */
  readonly reached: readonly string[]
  /** Remembers for good that a recipient has it: after a fault the others are left. */
  reach(recipient: string): Promise<void>
  /** Its bytes; may be read more than once. */
  open(): AsyncIterable<Buffer>
}

/** What a carrier works with. */
export interface Carrying<C = Item> {
  readonly server: Server
  /** The configuration of the transport, secrets included. */
  readonly configuration: C
  readonly outbound: Outbound
  /** The folders that the operator lets feeds read and write. */
  readonly folders: readonly string[]
  readonly signal: AbortSignal
  log(line: string): void
}

/**
 * Brings a block to where its feed says. Resolves when it has arrived, and throws a `TransportError` otherwise. The same block
 * may be brought again after a crash: whoever gets it can tell by its id.
 */
export type Carrier<C = Item> = (parcel: Parcel, carrying: Carrying<C>) => Promise<void>
