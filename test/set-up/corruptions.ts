import { MAX_ANSWER_BYTES } from '../../server/automation/enrichers/function.ts'

/** Numbers between 0 and 1 that follow from a seed. */
function numbersFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Next = () => number
const oneOf = <T>(next: Next, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T

const nested = (levels: number): unknown => {
  let value: unknown = 'deep'
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { data: value }
  return value
}

/** Values that no service should send where it usually sends something else. */
const STRANGE: readonly (() => unknown)[] = [
  ...[
    null,
    true,
    -1,
    1e308,
    '',
    '\u0000',
    '\ud800',
    'x'.repeat(100_000),
    '../../etc',
    'http://user:password@example.org/',
    'javascript:alert(1)',
    [],
    {},
    [[], [[]]],
    { toString: 'x', constructor: 1, length: 1e9 },
  ].map((value) => () => value),
  () => Array.from({ length: 20_000 }, (_, i) => i),
  () => Array.from({ length: 5000 }, (_, i) => ({ value: `v${i}.example.org`, name: i, id: { a: 1 } })),
  () => nested(20),
]

const strange = (next: Next): unknown => oneOf(next, STRANGE)()

/** Replaces some values of a document by others. */
function withStrangeValues(document: unknown, next: Next, share: number): unknown {
  if (next() < share) return strange(next)
  if (Array.isArray(document)) return document.map((each) => withStrangeValues(each, next, share))
  if (typeof document !== 'object' || document === null) return document
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, withStrangeValues(value, next, share)]),
  )
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return { text: body.toString('utf8') }
  }
}

const WAYS: readonly ((body: Buffer, next: Next) => Buffer | string)[] = [
  (body, next) => body.subarray(0, Math.floor(next() * body.length)),
  (body, next) => JSON.stringify(withStrangeValues(parsed(body), next, 0.05)),
  (body, next) => JSON.stringify(withStrangeValues(parsed(body), next, 0.2)),
  (body, next) => JSON.stringify(withStrangeValues(parsed(body), next, 0.01)),
  (body) => `<!DOCTYPE html><html><body><pre>${body.toString('utf8')}</pre></body></html>`,
  (body, next) => {
    const broken = Buffer.from(body)
    for (let i = 0; i < 5; i++) broken[Math.floor(next() * broken.length)] = Math.floor(next() * 256)
    return broken
  },
  (_, next) => Buffer.from(Array.from({ length: 500 }, () => Math.floor(next() * 256))),
  (body, next) => `${'['.repeat(Math.floor(next() * 100_000))}${body.toString('utf8')}`,
  (body, next) => {
    const document = `[${Array(2000).fill(body.toString('utf8')).join()}]`
    return next() < 0.5 ? document : document.slice(0, MAX_ANSWER_BYTES - 1)
  },
  (_, next) => JSON.stringify(strange(next)),
]

/** A corrupted answer, always the same for the same seed. */
export function corruptionsOf(body: Buffer, seed: number): { readonly seed: number; readonly body: Buffer } {
  const next = numbersFrom(seed)
  const way = WAYS[seed % WAYS.length] ?? ((same: Buffer) => same)
  return { seed, body: Buffer.from(way(body, next)) }
}
