/** The signs of a vector, one bit for each number: texts of similar meaning differ in few of them. */
export const codeOf = (vector: readonly number[]): string => vector.map((number) => (number > 0 ? '1' : '0')).join('')

const LARGEST = 127

/** A vector with one byte for each number. Only its direction is kept. */
export function bytesOf(vector: readonly number[]): Buffer {
  const most = vector.reduce((sum, number) => Math.max(sum, Math.abs(number)), 0)
  const scale = most === 0 ? 0 : LARGEST / most
  return Buffer.from(Int8Array.from(vector, (number) => Math.round(number * scale)).buffer)
}

/** How similar a stored vector is to another, for comparing stored vectors with each other. */
export function similarity(vector: readonly number[], stored: Buffer): number {
  const bytes = new Int8Array(stored.buffer, stored.byteOffset, stored.byteLength)
  let product = 0
  let square = 0
  // Thousands of vectors are compared while nothing else runs: an iterator takes ten times as long.
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    product += byte * (vector[i] ?? 0)
    square += byte * byte
  }
  return square === 0 ? 0 : product / Math.sqrt(square)
}
