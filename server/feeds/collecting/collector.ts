import type { Item } from '../../engine/context.ts'
import type { Known } from '../../formats/identified.ts'
import type { Outbound } from '../../ports/outbound.ts'

/** A document that a feed has fetched and that is not stored yet. */
export interface Piece {
  /** The name to show to users: an address, the id of an event, the name of a file. */
  readonly name: string
  /** Can be read once, and may be larger than memory. */
  readonly content: AsyncIterable<Uint8Array>
  /** As stated by the sender. */
  readonly contentType: string | null
  /** A detached, armored OpenPGP signature, if the feed provides one. */
  readonly signature?: string | undefined
  /** The identity of the document, where it is known independently of the content. */
  readonly about?: Known | undefined
}

/** One step of a collection: the piece that arrived, if any, and the cursor to continue from once it is stored. */
export interface Step {
  readonly piece?: Piece | undefined
  readonly cursor: Item | null
  /** Runs after the piece and the cursor have been committed, for example to delete a file that was read. */
  readonly stored?: (() => Promise<void>) | undefined
}

/** The input of a collector. */
export interface Collecting<C = Item> {
  /** The configuration of the transport, secrets included. */
  readonly configuration: C
  /** The cursor of the last stored step; null on the first run. */
  readonly cursor: Item | null
  readonly outbound: Outbound
  /** Whether everything is fetched each time instead of only what is new. */
  readonly isWhole?: boolean | undefined
  /** The folders that the operator allows feeds to read and write. */
  readonly folders: readonly string[]
  /** The maxPieceBytes accepted piece, in bytes. */
  readonly maxPieceBytes: number
  readonly signal: AbortSignal
  /** Adds a line to the log that users see; it must not contain secrets. */
  log(line: string): void
}

/**
 * Fetches what is new since the cursor. It yields step by step, so that a crash loses nothing and stored pieces are not fetched
 * again. A piece that fails is logged and skipped if others can still be fetched.
 */
export type Collector<C = Item> = (collecting: Collecting<C>) => AsyncIterable<Step>

/** The kinds of failures that the health of feeds reports. */
const FAILURE_KINDS = [
  'unreachable',
  'refused-address',
  'certificate',
  'authentication',
  'not-found',
  'rate-limited',
  'server',
  'timeout',
  'cut-off',
  'too-large',
  'malformed',
  'signature',
  'configuration',
  'internal',
] as const

export type FailureKind = (typeof FAILURE_KINDS)[number]

/** Why nothing more could be fetched or sent, worded for the operator of the feed. */
export class TransportError extends Error {
  override name = 'TransportError'
  readonly kind: FailureKind
  /** How long the other server asks to wait, in seconds; at most a day. */
  readonly retryAfter: number | undefined

  constructor(kind: FailureKind, message: string, options: ErrorOptions & { retryAfter?: number | undefined } = {}) {
    super(message, options)
    this.kind = kind
    this.retryAfter = options.retryAfter
  }
}
