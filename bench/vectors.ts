/** The numbers of a vector, as many as those of usual embedding models. A power of two, for `spread`. */
export const WIDTH = 1024
const TOPICS = 500
const SUBJECTS_PER_TOPIC = 10
const AREAS = 20

/** How much of a vector its area, topic and subject determine; the rest is its own. */
const SHARES = [0.35, 0.25, 0.2]
/** The numbers behind a vector matter ever less, as the eigenvalues of real embeddings do: the variance of the k-th is 1/k. */
const DECAY = 0.5
/** The cosine of two unrelated texts: the vectors of usual models all point into one half of the space. */
const UNRELATED = 0.3

/** Random numbers that are the same in every run. */
export function generator(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** About normally distributed numbers. */
const noise = (seed: number): Float64Array => {
  const random = generator(seed)
  return Float64Array.from({ length: WIDTH }, () => 2 * (random() + random() + random() - 1.5))
}

const known = new Map<number, Float64Array>()

/** Noise that several vectors share. */
function shared(seed: number): Float64Array {
  const numbers = known.get(seed) ?? noise(seed)
  known.set(seed, numbers)
  return numbers
}

const scales = unit(Float64Array.from({ length: WIDTH }, (_, k) => (k + 1) ** -DECAY))
const signs = noise(1).map((number) => Math.sign(number))
const middle = unit(noise(2).map((number) => number ** 3)).map(
  (number) => number * Math.sqrt(UNRELATED / (1 - UNRELATED)),
)

/** The vector of a text about a subject. Without one, it is a text like no other. */
export function vectorOf(subject: number | undefined, seed: number): number[] {
  const parts = subject === undefined ? [] : seedsOf(subject).map(shared)
  const own = noise(OWN + seed)
  const ownShare = parts.reduce((left, _, i) => left - (SHARES[i] ?? 0), 1)
  const numbers = own.map((number, k) => {
    let sum = number * Math.sqrt(ownShare)
    for (const [i, part] of parts.entries()) sum += (part[k] ?? 0) * Math.sqrt(SHARES[i] ?? 0)
    return sum * (scales[k] ?? 0)
  })
  return [...unit(spread(numbers).map((number, k) => number + (middle[k] ?? 0)))]
}

const OWN = 10_000_000

const seedsOf = (subject: number): number[] => {
  const topic = Math.floor(subject / SUBJECTS_PER_TOPIC)
  return [1_000 + (topic % AREAS), 2_000 + topic, 10_000 + subject]
}

/** The subject of a passage or question, by a hash: which source it is from says nothing about it. Some topics are more frequent. */
export function subjectOf(n: number): number {
  const random = generator(n * 7919 + 13)
  return Math.floor(TOPICS * random() ** 1.5) * SUBJECTS_PER_TOPIC + Math.floor(random() * SUBJECTS_PER_TOPIC)
}

/** Rotates a vector, so that each of its numbers tells about all that are behind it: a Walsh–Hadamard transform. */
function spread(numbers: Float64Array): Float64Array {
  const turned = numbers.map((number, k) => number * (signs[k] ?? 0))
  for (let half = 1; half < WIDTH; half *= 2)
    for (let from = 0; from < WIDTH; from += 2 * half)
      for (let k = from; k < from + half; k++) {
        const [one = 0, other = 0] = [turned[k], turned[k + half]]
        turned[k] = one + other
        turned[k + half] = one - other
      }
  return turned.map((number) => number / Math.sqrt(WIDTH))
}

function unit(numbers: Float64Array): Float64Array {
  const length = Math.hypot(...numbers)
  return numbers.map((number) => number / length)
}
