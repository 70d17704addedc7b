import type { Context } from '../../../engine/context.ts'
import { ApiError } from '../../../engine/errors.ts'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import { type Spooled, TooLarge } from '../../../ports/blobs.ts'

/** Receives a body to a temporary file. More than the largest file is a 413. */
export async function spooled(ctx: Context, content: AsyncIterable<Uint8Array>): Promise<Spooled> {
  try {
    return await blobsOf(ctx).spool(content, ctx.largestFile)
  } catch (error) {
    throw error instanceof TooLarge ? new ApiError(413, `data: must be at most ${error.mostBytes} bytes.`) : error
  }
}
