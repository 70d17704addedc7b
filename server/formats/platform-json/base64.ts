/** Encodes bytes as base64 chunk by chunk. */
export async function* base64Of(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    // Three bytes give four characters, so the remainder waits for the next chunk.
    const end = all.length - (all.length % 3)
    if (end > 0) yield all.toString('base64', 0, end)
    rest = all.subarray(end)
  }
  if (rest.length > 0) yield rest.toString('base64')
}
