import type { Document } from '../../formats/document.ts'
import type { Finding, Reader } from '../../formats/finding.ts'
import type { Batch, Import } from './import-batch.ts'
import { prepare, store } from './import-batch.ts'
import type { Located } from './outcome.ts'
import { PLACEHOLDER_LIMIT } from './placeholder-budget.ts'
import type { VersionedBy } from './version-order.ts'

/** A document of a file and its reader. */
export interface Readable {
  readonly document: Document
  readonly read: Reader
  readonly versionedBy: VersionedBy
  /** Whether its reader reads all of it before the first finding. */
  readonly isWholeFirst?: boolean | undefined
}

/** The documents of a file; they can be read more than once. */
export type Readables = () => AsyncIterable<Readable>

const MAX_BATCH_FINDINGS = 500
/** The approximate size of a batch, which is kept in memory. */
const MAX_BATCH_CHARACTERS = 1_000_000
/** The progress of a run once its file was examined. */
export const EXAMINED = 0.1
/** After this many findings, reading yields to other requests of the process. */
const FINDINGS_PER_TURN = 200

/** Reads a file without storing anything, so that a broken document stores nothing; gives the number of findings. */
export async function examine(readables: Readables, signal: AbortSignal): Promise<number> {
  let count = 0
  for await (const { document, read } of readables()) {
    for await (const _ of read(document)) {
      count++
      if (count % FINDINGS_PER_TURN === 0) await turn(signal)
    }
  }
  return count
}

/** Whether the reader of a file reads all of it before the first finding; false for archives. */
export async function isReadWholeFirst(readables: Readables): Promise<boolean> {
  for await (const { isWholeFirst } of readables()) return isWholeFirst === true
  return false
}

/**
 * Stores all findings from a position on, in batches, and gives their number. While one batch is stored, the next is read. Reports its
 * progress if the total is known; otherwise the reader does.
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
      // Prevents an unhandled rejection; the next `await storing` throws it.
      storing.catch(() => undefined)
      await turn(job.signal)
    }
  } finally {
    await storing
  }
  return count
}

/** Groups consecutive findings of one kind; no object occurs twice in a batch. */
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
      const isFull = findings.length >= MAX_BATCH_FINDINGS || weight >= MAX_BATCH_CHARACTERS
      if (isOther || isFull || (id !== undefined && ids.has(id))) yield* flush()
      findings.push(located)
      weight += weightOf(finding)
      if (id !== undefined) ids.add(id)
    }
    yield* flush()
  }
}

/** The id that two findings of the same object share. */
function keyOf(finding: Finding): string | undefined {
  if (finding.kind === 'entity') return finding.entity.data.id
  return finding.kind === 'relationship' ? finding.relationship.id : undefined
}

/** The approximate number of characters in a value. */
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
