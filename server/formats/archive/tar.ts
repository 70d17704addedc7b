import type { Parser, ReadEntry } from 'tar'
import { type Document, DocumentError } from '../document.ts'
import type { PackedEntry } from './packed-entry.ts'

/** Maximum bytes of extended headers, such as long names. */
const MAX_HEADER_BYTES = 256 * 1024

/** Yields the files in a tar archive in order. Each must be read before the next one is requested. */
export async function* tarEntries(document: Document): AsyncGenerator<PackedEntry> {
  const tar = await import('tar')
  const arrived: ReadEntry[] = []
  let isOver = false
  let failure: unknown
  let wake = () => {}
  const parser = new tar.Parser({
    strict: true,
    maxMetaEntrySize: MAX_HEADER_BYTES,
    onReadEntry: (entry) => arrive(entry),
  })
  const arrive = (entry: ReadEntry) => {
    // The reader of the entry gets the error. Without this listener, an error in an unread entry would crash the process.
    entry.on('error', () => {})
    arrived.push(entry)
    wake()
  }
  const fail = (error: unknown) => {
    failure ??= error
    for (const entry of arrived) entry.emit('error', error)
    wake()
  }
  parser.on('error', (error) => fail(damagedBy(error)))
  parser.on('end', () => {
    isOver = true
    wake()
  })
  const feeding = feed(document, parser, () => failure !== undefined).catch(fail)
  try {
    for (;;) {
      if (failure !== undefined) throw failure
      const entry = arrived[0]
      if (entry) {
        yield* entryOf(entry, () => failure)
        arrived.shift()
      } else if (isOver) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    failure ??= new Error('Reading the archive was stopped.')
    parser.abort(new Error('Reading the archive was stopped.'))
    parser.emit('drain')
    await feeding
  }
}

/** Writes the archive to the parser, which pauses while the current entry is not read. */
async function feed(document: Document, parser: Parser, hasFailed: () => boolean): Promise<void> {
  for await (const bytes of document.open()) {
    if (hasFailed()) return
    if (!attempt(() => parser.write(bytes))) await new Promise<void>((resolve) => parser.once('drain', resolve))
    if (hasFailed()) return
  }
  attempt(() => parser.end())
}

/** The parser throws various errors for invalid headers. */
function attempt<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw damagedBy(error)
  }
}

const damagedBy = (error: unknown): DocumentError =>
  error instanceof DocumentError
    ? error
    : new DocumentError(`the tar archive is damaged: ${(error as Error).message.replace(/^TAR_[A-Z_]+: /, '')}`)

function* entryOf(entry: ReadEntry, failure: () => unknown): Generator<PackedEntry> {
  const { path, type } = entry
  if (type === 'Directory') {
    entry.resume()
    return
  }
  if (type === 'Link' || type === 'SymbolicLink') throw new DocumentError(`${path}: links are not allowed in archives`)
  if (type !== 'File' && type !== 'OldFile' && type !== 'ContiguousFile') {
    throw new DocumentError(`${path}: entries of type ${type} are not allowed in archives`)
  }
  yield { name: path, content: contentOf(entry, failure) }
  // A skipped entry must not block the following ones.
  entry.resume()
}

async function* contentOf(entry: ReadEntry, failure: () => unknown): AsyncGenerator<Uint8Array> {
  // An entry that failed before a listener was added would never emit the error again.
  if (failure() !== undefined) throw failure()
  yield* entry
}
