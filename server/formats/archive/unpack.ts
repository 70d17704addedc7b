import { type Document, DocumentError } from '../document.ts'
import { binaryKind } from '../recognising/binary-kind.ts'
import { headOf } from '../recognising/head.ts'
import { ARCHIVE_LIMITS, type ArchiveLimits, type Budget, openBudget } from './budget.ts'
import { entryName, isSystemFile } from './entry-name.ts'
import { gzipEntries } from './gzip.ts'
import type { Indexed, PackedEntry } from './packed-entry.ts'
import { tarEntries } from './tar.ts'
import { zipEntries } from './zip.ts'

export type ArchiveFormat = 'zip' | 'gzip' | 'tar'

/** Bytes that are stored temporarily. */
interface Spooled extends AsyncDisposable, Indexed {
  open(): AsyncIterable<Buffer>
}

export interface Unpacking {
  /** Stores entries while they are read. They are never written to disk under their own names. */
  spool(content: AsyncIterable<Uint8Array>): Promise<Spooled>
  /** The password for encrypted entries. */
  readonly password?: string | undefined
  readonly limits?: Partial<ArchiveLimits> | undefined
}

/** Whether documents of this format contain others. */
export const isArchive = (format: string): format is ArchiveFormat => ['zip', 'gzip', 'tar'].includes(format)

/**
 * Yields the documents in an archive and in nested archives, in order. Each can be read repeatedly until the next one is requested. Any
 * error in the archive or one of its entries is a DocumentError that names the entry.
 */
export async function* unpack(
  document: Document,
  format: ArchiveFormat,
  { limits, ...parts }: Unpacking,
): AsyncGenerator<Document> {
  const budget = openBudget({ ...ARCHIVE_LIMITS, ...limits })
  let count = 0
  for await (const entry of level({ ...parts, budget }, document, format, 1, '')) {
    count++
    yield entry
  }
  if (count === 0) throw new DocumentError('The archive contains no files.')
}

interface Parts extends Omit<Unpacking, 'limits'> {
  readonly budget: Budget
}

async function* level(
  parts: Parts,
  archive: Document & Partial<Indexed>,
  format: ArchiveFormat,
  depth: number,
  place: string,
): AsyncGenerator<Document> {
  const { budget } = parts
  if (depth > budget.limits.depth) {
    throw new DocumentError(`${place}: archives are nested more than ${budget.limits.depth} levels deep`)
  }
  const names = new Set<string>()
  for await (const entry of entriesOf(parts, archive, format, place)) {
    const own = entryName(entry.name)
    const name = place === '' ? own : `${place}/${own}`
    budget.enter(name)
    if (isSystemFile(own)) continue
    if (names.has(own)) throw new DocumentError(`${name}: occurs twice in the archive`)
    names.add(own)
    await using spooled = await takeIn(parts, entry, name)
    const inner = { name, size: spooled.size, open: () => spooled.open(), read: spooled.read.bind(spooled) }
    const kind = binaryKind(await headOf(inner), own) ?? ''
    if (isArchive(kind)) yield* level(parts, inner, kind, depth + 1, name)
    else yield inner
  }
}

async function takeIn({ spool, budget }: Parts, entry: PackedEntry, name: string): Promise<Spooled> {
  if (entry.announced) budget.checkDeclared(name, entry.announced.size, entry.announced.packed)
  try {
    return await spool(budget.meter(name, entry.content, entry.packed))
  } catch (error) {
    throw error instanceof DocumentError && !error.message.includes(name)
      ? new DocumentError(`${name}: ${error.message}`)
      : error
  }
}

async function* entriesOf(
  { spool, password }: Parts,
  archive: Document & Partial<Indexed>,
  format: ArchiveFormat,
  place: string,
): AsyncGenerator<PackedEntry> {
  if (format === 'gzip') {
    yield* gzipEntries(archive)
    return
  }
  if (format === 'tar') {
    yield* tarEntries(archive)
    return
  }
  try {
    if (archive.read) yield* zipEntries({ size: archive.size, read: archive.read }, password)
    else {
      await using whole = await spool(archive.open())
      yield* zipEntries(whole, password)
    }
  } catch (error) {
    throw error instanceof DocumentError && place !== '' && !error.message.includes(place)
      ? new DocumentError(`${place}: ${error.message}`)
      : error
  }
}
