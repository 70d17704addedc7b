/** Bytes that can be read from their beginning, as often as it takes. */
export interface Document {
  /** What the file was called, or ''. */
  readonly name: string
  readonly size: number
  /** Which document it is, where another one may be a later version of it. */
  readonly known?: { readonly identity: string; readonly title?: string | undefined } | undefined
  open(): AsyncIterable<Buffer>
}

/** Why a document cannot be read at all: nothing of it is stored. The message is for people and says where. */
export class DocumentError extends Error {
  override name = 'DocumentError'
}

/** A document that is in memory. */
export const documentOf = (bytes: Buffer | string, name = ''): Document => {
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  return {
    name,
    size: content.length,
    async *open() {
      yield content
    },
  }
}
