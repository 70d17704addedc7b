import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { storeBlob } from '../../../intelligence/stored-blobs/store.ts'
import type { Server } from '../../../server.ts'

/** Writes down what could not be written into a document, one JSON object a line, while the document is written. */
export interface LossReport extends Disposable {
  readonly count: number
  lose(id: string, loss: string): void
  /** Resolves when what was told so far is on its way to the disk. */
  settled(): Promise<void>
  /** The key of the report; null where nothing was lost. */
  store(): Promise<string | null>
}

/** A report that is a blob of its own; whoever disposes of it before it is stored leaves nothing of it. */
export function openLosses(server: Pick<Server, 'db' | 'blobs'>): LossReport {
  let lines: { readonly stream: PassThrough; readonly stored: ReturnType<typeof storeBlob> } | undefined
  let count = 0
  const open = () => {
    const stream = new PassThrough()
    const stored = storeBlob(server, stream)
    // Whoever waits for it hears of a failure; until then nobody does.
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
