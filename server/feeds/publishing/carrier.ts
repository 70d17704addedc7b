import type { Item } from '../../engine/context.ts'
import type { Outbound } from '../../ports/outbound.ts'
import type { Server } from '../../server.ts'

/** A content block to deliver to its consumers. */
export interface Parcel {
  readonly id: number
  readonly feed: { readonly id: number; readonly name: string }
  readonly filename: string
  readonly size: number
  readonly sha256: string
  /** The URN of its content type; `mediaType` is the matching media type. */
  readonly contentType: string
  readonly mediaType: string
  readonly itemsCount: number
  readonly createdAt: string
  /** A detached OpenPGP signature, armored. */
  readonly signature: string | null
  /** The number of this delivery attempt, from 1. */
  readonly attempt: number
  /** The recipients that received it in an earlier attempt. */
  readonly reached: readonly string[]
  /** Stores that a recipient has received it, so that a later attempt only delivers it to the others. */
  reach(recipient: string): Promise<void>
  /** Its bytes; can be read more than once. */
  open(): AsyncIterable<Buffer>
}

/** The input of a carrier. */
export interface Carrying<C = Item> {
  readonly server: Server
  /** The configuration of the transport, secrets included. */
  readonly configuration: C
  readonly outbound: Outbound
  /** The folders that the operator allows feeds to read and write. */
  readonly folders: readonly string[]
  readonly signal: AbortSignal
  log(line: string): void
}

/**
 * Delivers a block to the destination of its feed. Resolves when it has arrived, and throws a `TransportError` otherwise. After a crash
 * the same block may be delivered again, which receivers recognise by its id.
 */
export type Carrier<C = Item> = (parcel: Parcel, carrying: Carrying<C>) => Promise<void>
