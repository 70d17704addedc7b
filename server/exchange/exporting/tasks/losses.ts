import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { storeBlob } from '../../../intelligence/stored-blobs/store.ts'
import type { Server } from '../../../server.ts'

/** Records what a document cannot represent while it is written, one JSON object per line. */
export interface LossReport extends Disposable {
  readonly count: number
  lose(id: string, loss: string): void
  /** Resolves when the lines so far are on their way to the disk. */
  settled(): Promise<void>
  /** Stores the report and gives its key; null if nothing was lost. */
  store(): Promise<string | null>
}

/** Opens a report that is stored as a blob; disposing of it before discards it. */
export function openLosses(server: Pick<Server, 'db' | 'blobs'>): LossReport {
  let lines: { readonly stream: PassThrough; readonly stored: ReturnType<typeof storeBlob> } | undefined
  let count = 0
  const open = () => {
    const stream = new PassThrough()
    const stored = storeBlob(server, stream)
    // Prevents an unhandled rejection; `store` and `settled` throw the error.
    stored.catch(() => {})
    return { stream, stored }
  }
  return {
    get count() {
      return count
    },
    lose: (id, loss) => {
      count++
      lines ??= open()
      lines.stream.write(`${JSON.stringify({ id, loss })}\n`)
    },
    settled: async () => {
      if (lines?.stream.writableNeedDrain) await Promise.race([once(lines.stream, 'drain'), lines.stored])
    },
    store: async () => {
      if (!lines) return null
      lines.stream.end()
      return (await lines.stored).sha256
    },
    [Symbol.dispose]: () => lines?.stream.destroy(),
  }
}
