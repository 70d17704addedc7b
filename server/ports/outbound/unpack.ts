import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

/** The accepted content encodings. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

const UNPACKERS: Readonly<Record<string, (() => Duplex) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Decompresses a body, chunk by chunk. */
export function unpack(packed: AsyncIterable<Buffer>, encoding: string | undefined): AsyncIterable<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return packed
  const unpacker = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined
  if (!unpacker) throw new OutboundError('the response uses an encoding that was not requested', 'malformed')
  return unpacked(packed, unpacker())
}

async function* unpacked(packed: AsyncIterable<Buffer>, unpacker: Duplex): AsyncGenerator<Buffer> {
  // Any error also ends the read below.
  const flow = pipeline(packed, unpacker).catch(() => {})
  yield* unpacker
  await flow
}
