/** The maximum size of an attachment. */
export const MAX_ATTACHMENT_SIZE = 40 * 1024 * 1024

/** The content of a file in base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  // In chunks, because the number of function arguments is limited. Chunk sizes are multiples of three bytes, so that the parts can be joined.
  const size = 3 * 8_192
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    btoa(String.fromCharCode(...bytes.subarray(i * size, (i + 1) * size))),
  )
  return pieces.join('')
}
