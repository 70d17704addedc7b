import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOf } from '../document.ts'
import type { Finding } from '../finding.ts'
import { memoryScratch } from '../scratch.ts'
import { stix2Reader } from './read-stix2.ts'

const uuidOf = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
const TIMES = { created: '2025-01-01T00:00:00.000Z', modified: '2025-01-01T00:00:00.000Z' }

const addressOf = (n: number) => ({
  type: 'domain-name',
  spec_version: '2.1',
  id: `domain-name--${uuidOf(n)}`,
  value: `host-${n}.example.org`,
  x_note: 'n'.repeat(1000),
})

const malwareOf = (n: number) => ({
  type: 'malware',
  spec_version: '2.1',
  id: `malware--${uuidOf(n)}`,
  ...TIMES,
  name: `Family ${n}`,
  is_family: true,
})

const relationOf = (n: number, source: string, target: string) => ({
  type: 'relationship',
  spec_version: '2.1',
  id: `relationship--${uuidOf(n)}`,
  ...TIMES,
  relationship_type: 'related-to',
  source_ref: source,
  target_ref: target,
})

/** Malware objects that are each related to one address, the same number of unreferenced addresses, and a chain of malware. */
const objectsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => [
    relationOf(n, malwareOf(n).id, addressOf(n).id),
    relationOf(count + n, malwareOf(n).id, malwareOf((n + 1) % count).id),
    addressOf(n),
    addressOf(count + n),
    malwareOf(n),
  ]).flat()

async function readAll(objects: readonly object[]) {
  const text = JSON.stringify({ type: 'bundle', id: `bundle--${uuidOf(0)}`, objects })
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: 20 }, (_, i) =>
    bytes.subarray((i * bytes.length) / 20, ((i + 1) * bytes.length) / 20),
  )
  const document = {
    ...documentOf(bytes),
    async *open() {
      yield* parts
    },
  }
  const progress: number[] = []
  const files = { opened: 0, open: 0, bytes: 0 }
  const openScratch = () => {
    const file = memoryScratch()
    files.opened++
    files.open++
    return {
      append: (piece: Uint8Array) => {
        files.bytes += piece.length
        file.append(piece)
      },
      read: file.read,
      [Symbol.dispose]: () => {
        files.open--
      },
    }
  }
  const read = stix2Reader({ openScratch, onProgress: (done) => progress.push(done) })
  return { read: () => read(document), progress, files, text }
}

test('data that waits for the end of a document is stored in a file, which is always closed', async () => {
  const { read, files } = await readAll(objectsOf(1500))
  const findings = await Array.fromAsync(read())
  assert.ok(files.opened > 0)
  assert.equal(files.open, 0)
  assert.ok(files.bytes > 2_000_000, String(files.bytes))
  const kept = findings.flatMap((finding) => (finding.kind === 'entity' ? (finding.entity.kept ?? []) : []))
  assert.deepEqual(kept.map(({ id }) => id).filter((id) => id.startsWith('domain-name--')).length, 3000)
  assert.equal(kept.find(({ id }) => id === addressOf(1499).id)?.object.value, 'host-1499.example.org')
  for await (const _ of read()) break
  assert.equal(files.open, 0)
})

test('a small document opens no file', async () => {
  const { read, files } = await readAll(objectsOf(20))
  await Array.fromAsync(read())
  assert.equal(files.opened, 0)
})

const isRising = (numbers: readonly number[]) => numbers.every((each, i) => each >= (numbers[i - 1] ?? 0) && each <= 1)

test('progress starts with the first bytes, never decreases, and grows with the findings', async () => {
  const { read, progress } = await readAll(objectsOf(300))
  const seen: number[] = []
  const kinds: Finding['kind'][] = []
  for await (const finding of read()) {
    seen.push(progress.at(-1) ?? 0)
    kinds.push(finding.kind)
  }
  assert.ok(progress.length > 100 && isRising(progress), progress.join(' '))
  assert.ok((progress[0] ?? 1) < 0.01, String(progress[0]))
  // No findings yet, so most of the work is still ahead.
  assert.ok((seen[0] ?? 1) <= 0.1, String(seen[0]))
  const half = seen[Math.floor(kinds.lastIndexOf('entity') / 2)] ?? 0
  assert.ok(half > 0.2 && half < 0.6, String(half))
  assert.ok((seen.at(-1) ?? 0) > 0.95, String(seen.at(-1)))
})

test('progress is correct when repeated ids require another pass over the document', async () => {
  const objects = objectsOf(100)
  const { read, progress } = await readAll([...objects, ...objects, ...objects])
  const seen: number[] = []
  for await (const _ of read()) seen.push(progress.at(-1) ?? 0)
  assert.ok(isRising(progress), progress.join(' '))
  assert.ok((seen[0] ?? 1) <= 0.11, String(seen[0]))
  assert.ok((seen[Math.floor(seen.length / 2)] ?? 1) < 0.9, String(seen[Math.floor(seen.length / 2)]))
})
