/** What is known of bytes once all of them have been seen; the hashes are in hexadecimal. */
export interface Digest {
  readonly size: number
  readonly sha256: string
  readonly sha1: string
  readonly md5: string
}

/** A part of a blob: from `start` up to, but not including, `end`. */
export interface BlobSpan {
  readonly start: number
  readonly end: number
}

/** Bytes that came in and are not kept yet. Whoever received them keeps them, or lets them go by disposing of them. */
export interface Draft extends Digest, AsyncDisposable {
  /** Stores the bytes under their SHA-256, whole or not at all; those that are there already are not written again. */
  keep(): Promise<void>
}

/** Bytes on disk for as long as somebody works with them; they can be read as often as it takes. */
export interface Spooled extends AsyncDisposable {
  readonly size: number
  open(): AsyncIterable<Buffer>
  /** Some of the bytes; fewer where they end before. */
  read(start: number, length: number): Promise<Buffer>
}

/** A file for as long as somebody works with it: bytes are added at its end, and read back at once. */
export interface Scratch extends Disposable {
  append(bytes: Uint8Array): void
  read(start: number, length: number): Buffer
}

/** The bytes of files, each content once under its SHA-256. What is kept and why, the database knows. */
export interface Blobs {
  /** For people: where the bytes are. */
  readonly place: string
  /** The folder that holds them; absent where another server does. */
  readonly folder?: string
  /** Takes bytes in, a few at a time; more than `mostBytes` of them are a TooLarge. */
  receive(content: AsyncIterable<Uint8Array>, mostBytes?: number): Promise<Draft>
  /** Takes bytes in that are only needed for a while; no crash leaves them behind. */
  spool(content: AsyncIterable<Uint8Array>, mostBytes?: number): Promise<Spooled>
  /** An empty file; no crash leaves it behind. */
  scratch(): Scratch
  /** Reads a blob or a part of it. */
  open(key: string, span?: BlobSpan): AsyncIterable<Buffer>
  exists(key: string): Promise<boolean>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
  /** Throws where blobs cannot be written. */
  check(): Promise<void>
  /** Removes what crashes left behind, and tells how much that was. */
  tidy(): Promise<number>
}

/** More bytes came than are taken. */
export class TooLarge extends Error {
  readonly mostBytes: number

  constructor(mostBytes: number) {
    super(`more than ${mostBytes} bytes`)
    this.mostBytes = mostBytes
  }
}

/** Bytes that should be there are not. */
export class BlobMissing extends Error {}

/** A key as it comes from the database: anything else must not become a path. */
export function requireKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new TypeError(`'${key.slice(0, 80)}' is no key of a blob.`)
  return key
}
