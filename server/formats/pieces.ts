const CHUNK_BYTES = 64 * 1024

/** Joins the output of a writer to chunks that are large enough to be sent or stored individually. */
export async function* inPieces(written: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  let waiting: (string | Buffer)[] = []
  let length = 0
  for await (const piece of written) {
    waiting.push(piece)
    length += piece.length
    if (length < CHUNK_BYTES) continue
    yield joined(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield joined(waiting)
}

/** Consecutive texts are encoded together. */
function joined(pieces: readonly (string | Buffer)[]): Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return Buffer.from(pieces.join(''))
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
