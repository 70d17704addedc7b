import type { Document } from '../../formats/document.ts'
import type { Finding, Reader } from '../../formats/finding.ts'
import type { Batch, Import } from './import-batch.ts'
import { prepare, store } from './import-batch.ts'
import type { VersionedBy } from './import-entities.ts'
import type { Located } from './outcome.ts'
import { PLACEHOLDER_LIMIT } from './placeholder-limit.ts'

/** A document of a file, and the way to read it. */
export interface Readable {
  readonly document: Document
  readonly read: Reader
  readonly versionedBy: VersionedBy
  /** Whether its reader looks at all of it before the first finding. */
  readonly isWholeFirst?: boolean | undefined
}

/** The documents of a file, which may be read more than once. */
export type Readables = () => AsyncIterable<Readable>

const BATCH = 500
/** About how many characters a batch may have: objects may be large, and all of a batch is in memory. */
const HEAVY = 1_000_000
/** How much is done once a file was examined. */
export const EXAMINED = 0.1
/** How often others have their turn while a document is only read. */
const TURN = 200

/** Reads everything once without storing anything, so that a document with a fault leaves nothing behind; counts what it has. */
export async function examine(readables: Readables, signal: AbortSignal): Promise<number> {
  let count = 0
  for await (const { document, read } of readables()) {
    for await (const _ of read(document)) {
      count++
      if (count % TURN === 0) await turn(signal)
    }
  }
  return count
}

/** Whether the reader of a file looks at all of it before the first finding; no archive is read so. */
export async function isReadWholeFirst(readables: Readables): Promise<boolean> {
  for await (const { isWholeFirst } of readables()) return isWholeFirst === true
  return false
}

/**
 * Stores all findings from a position on, in batches, and gives how many there are; while one is stored, the next is read. Without a total,
 * somebody else tells how far it is.
 */
export async function importFile(
  given: Import,
  readables: Readables,
  from: number,
  total: number | undefined,
): Promise<number> {
  const parts = { placeholders: { left: PLACEHOLDER_LIMIT }, ...given }
  const { job } = parts
  let storing: Promise<void> = Promise.resolve()
  let count = from
  try {
    for await (const batch of batchesOf(readables, from)) {
      const prepared = await prepare(parts, batch)
      await storing
      const done = (batch.findings.at(-1)?.position ?? 0) + 1
      count = done
      storing = store(parts, prepared).then(() =>
        total === undefined ? undefined : job.progress(EXAMINED + (1 - EXAMINED) * (done / total)),
      )
      // A failure is told where it is waited for.
      storing.catch(() => undefined)
      await turn(job.signal)
    }
  } finally {
    await storing
  }
  return count
}

/** Findings of one kind that follow each other, no entity twice among them. */
async function* batchesOf(readables: Readables, from: number): AsyncGenerator<Batch> {
  let position = 0
  for await (const { document, read, versionedBy } of readables()) {
    let findings: Located[] = []
    let weight = 0
    const ids = new Set<string>()
    const flush = (): Batch[] => {
      const [first] = findings
      const batch = first && { kind: first.finding.kind, versionedBy, findings }
      findings = []
      weight = 0
      ids.clear()
      return batch ? [batch] : []
    }
    for await (const finding of read(document)) {
      const located = { position: position++, finding }
      if (located.position < from) continue
      const isOther = findings[0] !== undefined && findings[0].finding.kind !== finding.kind
      const id = keyOf(finding)
      const isFull = findings.length >= BATCH || weight >= HEAVY
      if (isOther || isFull || (id !== undefined && ids.has(id))) yield* flush()
      findings.push(located)
      weight += weightOf(finding)
      if (id !== undefined) ids.add(id)
    }
    yield* flush()
  }
}

/** By what two findings are of the same object. */
function keyOf(finding: Finding): string | undefined {
  if (finding.kind === 'entity') return finding.entity.data.id
  return finding.kind === 'relationship' ? finding.relationship.id : undefined
}

/** About how many characters something has. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  if (Buffer.isBuffer(value)) return value.length
  let weight = 8
  for (const part of Object.values(value)) weight += weightOf(part)
  return weight
}

const turn = async (signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted()
  await new Promise<void>((resolve) => setImmediate(resolve))
}
