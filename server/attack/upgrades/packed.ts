import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** A value as compressed JSON. The same texts in several places are stored once. */
export const packed = (value: unknown): Promise<Buffer> => packedText(JSON.stringify(value))

/** JSON, compressed. */
export const packedText = (text: string): Promise<Buffer> =>
  compress(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  })

/** The text that was compressed. */
export const unpackedText = async (bytes: Buffer): Promise<string> => (await decompress(bytes)).toString()
