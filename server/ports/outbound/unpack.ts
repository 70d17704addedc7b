import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

/** What we say that we can unpack. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

const UNPACKERS: Readonly<Record<string, (() => Duplex) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The bytes as they were before they were packed for the way, a piece at a time. */
export function unpack(packed: AsyncIterable<Buffer>, encoding: string | undefined): AsyncIterable<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return packed
  const unpacker = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined
  if (!unpacker) throw new OutboundError('the answer is packed in a way that was not asked for', 'malformed')
  return unpacked(packed, unpacker())
}

async function* unpacked(packed: AsyncIterable<Buffer>, unpacker: Duplex): AsyncGenerator<Buffer> {
  // Whatever goes wrong in it ends the reading below with the same error.
  const flow = pipeline(packed, unpacker).catch(() => {})
  yield* unpacker
  await flow
}
