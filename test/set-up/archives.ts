import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { BlobWriter, Uint8ArrayReader, ZipWriter, type ZipWriterAddDataOptions } from '@zip.js/zip.js'
import { Header } from 'tar'
import { fromBufferPromise } from 'yauzl'
import type { ArchiveLimits } from '../../server/formats/archive/budget.ts'
import { type ArchiveFormat, unpack } from '../../server/formats/archive/unpack.ts'
import { documentOf } from '../../server/formats/document.ts'
import { spool } from '../../server/ports/drafts.ts'

const folder = await mkdtemp(join(tmpdir(), 'corvus-archives-'))
after(() => rm(folder, { recursive: true, force: true }))

export interface Packed {
  readonly name: string
  readonly content?: Buffer | string
  readonly options?: ZipWriterAddDataOptions
}

/** A zip archive of these files. */
export async function zipOf(files: readonly Packed[], options: ZipWriterAddDataOptions = {}): Promise<Buffer> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false, ...options })
  for (const { name, content = '', options: own } of files) {
    await writer.add(name, new Uint8ArrayReader(Buffer.from(content)), own)
  }
  return Buffer.from(await (await writer.close()).arrayBuffer())
}

export interface Tarred extends Packed {
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'Directory'
  readonly linkpath?: string
  /** Overrides of the header, to make a false one. */
  readonly size?: number
}

/** A tar archive of these files. */
export function tarOf(files: readonly Tarred[], isWhole = true): Buffer {
  const blocks = files.flatMap(({ name, content = '', type = 'File', linkpath, size }) => {
    const bytes = Buffer.from(content)
    const head = Buffer.alloc(512)
    const header = new Header({
      path: name,
      type,
      mode: 0o644,
      size: size ?? bytes.length,
      ...(linkpath && { linkpath }),
    })
    header.encode(head, 0)
    return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(isWhole ? 1024 : 0)])
}

interface Options {
  readonly name?: string
  readonly password?: string
  readonly limits?: Partial<ArchiveLimits>
}

/** The names and texts of all files in an archive. */
export async function unpacked(bytes: Buffer, format: ArchiveFormat, { name = 'a', ...options }: Options = {}) {
  const found: [name: string, text: string][] = []
  const parts = { spool: (content: AsyncIterable<Uint8Array>) => spool(folder, content), ...options }
  for await (const document of unpack(documentOf(bytes, name), format, parts)) {
    const pieces: Buffer[] = []
    // Read twice, as a reader does that checks a document first.
    for (let time = 0; time < 2; time++) for await (const piece of document.open()) pieces.push(piece)
    const twice = Buffer.concat(pieces)
    found.push([document.name, twice.toString('utf8', 0, twice.length / 2)])
  }
  return found
}

/** The files left on the disk. */
export const leftovers = () => readdir(folder)

/** The texts of all files in a zip, by their names. */
export async function filesInZip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes)
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const stream = (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>
    files.set(entry.fileName, Buffer.concat(await Array.fromAsync(stream)).toString())
  }
  return files
}

/** The text of a document; for an archive, the names and texts of its files. */
export const readable = async (bytes: Buffer): Promise<string> =>
  bytes.subarray(0, 2).toString() === 'PK' ? [...(await filesInZip(bytes))].flat().join('\n') : bytes.toString()
