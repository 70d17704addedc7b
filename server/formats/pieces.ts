const ENOUGH = 64 * 1024

/** What a writer gives, joined to pieces that are worth being sent or stored one by one. */
export async function* inPieces(written: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  let waiting: (string | Buffer)[] = []
  let length = 0
  for await (const piece of written) {
    waiting.push(piece)
    length += piece.length
    if (length < ENOUGH) continue
    yield joined(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield joined(waiting)
}

/** Texts that follow each other become bytes together. */
function joined(pieces: readonly (string | Buffer)[]): Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return Buffer.from(pieces.join(''))
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
