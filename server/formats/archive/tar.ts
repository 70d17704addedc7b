import type { Parser, ReadEntry } from 'tar'
import { type Document, DocumentError } from '../document.ts'
import type { PackedEntry } from './packed-entry.ts'

/** Longer names and the like than anybody needs. */
const MOST_IN_HEADERS = 256 * 1024

/** The files in a tar archive, in their order; each has to be read before the next one is asked for. */
export async function* tarEntries(document: Document): AsyncGenerator<PackedEntry> {
  const tar = await import('tar')
  const arrived: ReadEntry[] = []
  let isOver = false
  let failure: unknown
  let wake = () => {}
  const parser = new tar.Parser({
    strict: true,
    maxMetaEntrySize: MOST_IN_HEADERS,
    onReadEntry: (entry) => arrive(entry),
  })
  const arrive = (entry: ReadEntry) => {
    // Whoever reads it hears of it; an entry that nobody reads must not end the process.
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
    failure ??= new Error('The archive is not read any further.')
    parser.abort(new Error('The archive is not read any further.'))
    parser.emit('drain')
    await feeding
  }
}

/** Writes the archive into the parser, which takes no more while nobody reads the entry that it is at. */
async function feed(document: Document, parser: Parser, hasFailed: () => boolean): Promise<void> {
  for await (const bytes of document.open()) {
    if (hasFailed()) return
    if (!attempt(() => parser.write(bytes))) await new Promise<void>((resolve) => parser.once('drain', resolve))
    if (hasFailed()) return
  }
  attempt(() => parser.end())
}

/** The parser says with all kinds of errors that a header makes no sense. */
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
  if (type === 'Link' || type === 'SymbolicLink')
    throw new DocumentError(`${path}: is a link, which no archive may hold`)
  if (type !== 'File' && type !== 'OldFile' && type !== 'ContiguousFile') {
    throw new DocumentError(`${path}: is no file but of the kind ${type}, which no archive may hold`)
  }
  yield { name: path, content: contentOf(entry, failure) }
  // Who did not want it must not hold up the others.
  entry.resume()
}

async function* contentOf(entry: ReadEntry, failure: () => unknown): AsyncGenerator<Uint8Array> {
  // An entry that failed before somebody listens would never say so again.
  if (failure() !== undefined) throw failure()
  yield* entry
}
