/** The size and hashes of received bytes; hashes are in hexadecimal. */
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

/** Received bytes that are not stored yet. The receiver either keeps the draft or discards it by disposing of it. */
export interface Draft extends Digest, AsyncDisposable {
  /** Stores the bytes atomically under their SHA-256. Content that is already stored is not written again. */
  keep(): Promise<void>
}

/** Temporary bytes on disk, which can be read repeatedly until disposed of. */
export interface Spooled extends AsyncDisposable {
  readonly size: number
  open(): AsyncIterable<Buffer>
  /** Reads up to `length` bytes; fewer at the end. */
  read(start: number, length: number): Promise<Buffer>
}

/** A temporary file: bytes are appended, and can be read back at once. */
export interface Scratch extends Disposable {
  append(bytes: Uint8Array): void
  read(start: number, length: number): Buffer
}

/** The content of files, each stored once under its SHA-256. The database records what is stored and why. */
export interface Blobs {
  /** Describes the location in messages. */
  readonly place: string
  /** The folder of the blobs; absent if another server stores them. */
  readonly folder?: string
  /** Receives bytes in chunks. More than `mostBytes` is a TooLarge error. */
  receive(content: AsyncIterable<Uint8Array>, mostBytes?: number): Promise<Draft>
  /** Receives bytes that are needed only temporarily; they do not outlive the process. */
  spool(content: AsyncIterable<Uint8Array>, mostBytes?: number): Promise<Spooled>
  /** Creates an empty temporary file, which does not outlive the process. */
  scratch(): Scratch
  /** Reads a blob or a part of it. */
  open(key: string, span?: BlobSpan): AsyncIterable<Buffer>
  exists(key: string): Promise<boolean>
  /** Removes a blob. A missing blob is not an error. */
  remove(key: string): Promise<void>
  /** Throws if blobs cannot be written. */
  check(): Promise<void>
  /** Removes leftovers of crashes, and returns their number. */
  tidy(): Promise<number>
}

/** More bytes were received than allowed. */
export class TooLarge extends Error {
  readonly mostBytes: number

  constructor(mostBytes: number) {
    super(`more than ${mostBytes} bytes`)
    this.mostBytes = mostBytes
  }
}

/** A blob that the database refers to is missing. */
export class BlobMissing extends Error {}

/** Validates a key from the database: anything else must not become a path. */
export function requireKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new TypeError(`'${key.slice(0, 80)}' is not a valid blob key.`)
  return key
}
