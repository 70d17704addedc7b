/** Numbers from 0 to 1 that are the same in every run. */
export function seededNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Damages bytes in one of several ways that depend on the seed: cut off, changed, repeated, or with foreign bytes in between. */
export function corrupted(bytes: Buffer, seed: number): Buffer {
  const random = seededNumbers(seed)
  const position = () => Math.floor(random() * bytes.length)
  const some = () => Buffer.from(Array.from({ length: 1 + Math.floor(random() * 8) }, () => Math.floor(random() * 256)))
  const at = position()
  const ways = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), some(), bytes.subarray(at)]),
    () =>
      Buffer.concat([
        bytes.subarray(0, at),
        bytes.subarray(Math.min(bytes.length, at + 1 + Math.floor(random() * 40))),
      ]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 30))]),
    () => {
      const changed = Buffer.from(bytes)
      for (let i = 0; i < 1 + random() * 10; i++) changed[position()] = Math.floor(random() * 256)
      return changed
    },
  ]
  return ways[Math.floor(random() * ways.length)]?.() ?? bytes
}

/** Damages the structure of JSON while it stays JSON: a value somewhere becomes one of another kind. */
export function corruptedJson(value: unknown, seed: number): unknown {
  const random = seededNumbers(seed)
  const others = [
    null,
    7,
    -1.5,
    '',
    'x'.repeat(5000),
    true,
    [],
    {},
    [[[]]],
    { a: { b: null } },
    '\u0000\ud800',
    ['', null],
  ]
  const other = () => others[Math.floor(random() * others.length)]
  const places = placesIn(value, [])
  const place = places[Math.floor(random() * places.length)] ?? []
  return withOther(value, place, other)
}

type Place = readonly (string | number)[]

const placesIn = (value: unknown, place: Place): Place[] => [
  place,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...place, key]))
    : []),
]

function withOther(value: unknown, [key, ...rest]: Place, other: () => unknown): unknown {
  if (key === undefined) return other()
  const changed = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  changed[key] = withOther(changed[key], rest, other)
  return changed
}
