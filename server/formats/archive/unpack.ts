import { type Document, DocumentError } from '../document.ts'
import { binaryKind } from '../recognising/binary-kind.ts'
import { headOf } from '../recognising/head.ts'
import { ARCHIVE_LIMITS, type ArchiveLimits, type Budget, openBudget } from './budget.ts'
import { entryName, isRubbish } from './entry-name.ts'
import { gzipEntries } from './gzip.ts'
import type { Indexed, PackedEntry } from './packed-entry.ts'
import { tarEntries } from './tar.ts'
import { zipEntries } from './zip.ts'

export type ArchiveFormat = 'zip' | 'gzip' | 'tar'

/** Bytes that are put aside for as long as they are needed. */
interface Spooled extends AsyncDisposable, Indexed {
  open(): AsyncIterable<Buffer>
}

export interface Unpacking {
  /** Where entries are put while they are read; they are on no disk under their own names. */
  spool(content: AsyncIterable<Uint8Array>): Promise<Spooled>
  /** Opens what is encrypted. */
  readonly password?: string | undefined
  readonly limits?: Partial<ArchiveLimits> | undefined
}

/** Whether a document of this format holds others. */
export const isArchive = (format: string): format is ArchiveFormat => ['zip', 'gzip', 'tar'].includes(format)

/**
 * The documents in an archive, and those in the archives in it, in their order. Each can be read as often as it takes until the next
 * one is asked for. Whatever is wrong with the archive as a whole or with one of its entries is a DocumentError that names the entry.
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
  if (count === 0) throw new DocumentError('The archive has no files in it.')
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
    throw new DocumentError(`${place}: archives lie in each other more than ${budget.limits.depth} deep`)
  }
  const names = new Set<string>()
  for await (const entry of entriesOf(parts, archive, format, place)) {
    const own = entryName(entry.name)
    const name = place === '' ? own : `${place}/${own}`
    budget.enter(name)
    if (isRubbish(own)) continue
    if (names.has(own)) throw new DocumentError(`${name}: is in the archive twice`)
    names.add(own)
    await using spooled = await takeIn(parts, entry, name)
    const inner = { name, size: spooled.size, open: () => spooled.open(), read: spooled.read.bind(spooled) }
    const kind = binaryKind(await headOf(inner), own) ?? ''
    if (isArchive(kind)) yield* level(parts, inner, kind, depth + 1, name)
    else yield inner
  }
}

async function takeIn({ spool, budget }: Parts, entry: PackedEntry, name: string): Promise<Spooled> {
  if (entry.announced) budget.foresee(name, entry.announced.size, entry.announced.packed)
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
