/** Bytes that can be read from the beginning repeatedly. */
export interface Document {
  /** The file name, or ''. */
  readonly name: string
  readonly size: number
  /** Identifies the document if another one may be a later version of it. */
  readonly known?: { readonly identity: string; readonly title?: string | undefined } | undefined
  open(): AsyncIterable<Buffer>
}

/** Why a document cannot be read at all. Nothing of it is stored. The message is for users and includes the position. */
export class DocumentError extends Error {
  override name = 'DocumentError'
}

/** A document in memory. */
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
