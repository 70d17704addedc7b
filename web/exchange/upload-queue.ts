/** The upload of one file. */
export interface Upload<F> {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly state: 'waiting' | 'sending' | 'sent' | 'refused'
  /** The share that has been sent, from 0 to 1. */
  readonly progress: number
  /** Why the upload failed. */
  readonly error?: unknown
  /** The file as created by the server. */
  readonly made?: F
}

/** Uploads one file. */
export type Send<C, F> = (content: C, onProgress: (share: number) => void, signal: AbortSignal) => Promise<F>

/** A queue that uploads a few files at a time and survives page changes. */
export interface UploadQueue<C, F> {
  readonly list: () => readonly Upload<F>[]
  readonly subscribe: (listener: () => void) => () => void
  add(contents: readonly C[], send: Send<C, F>): void
  /** Cancels an upload, or removes an ended one from the list. */
  remove(id: number): void
  /** Removes all ended uploads from the list. */
  tidy(): void
  readonly isBusy: () => boolean
}

const MAX_PARALLEL_UPLOADS = 2

/** Creates a queue; `onSent` is called for each uploaded file. */
export function createUploadQueue<C extends { readonly name: string; readonly size: number }, F>(
  onSent: (made: F) => void,
): UploadQueue<C, F> {
  let uploads: readonly Upload<F>[] = []
  const waiting = new Map<number, () => Promise<void>>()
  const stops = new Map<number, AbortController>()
  const listeners = new Set<() => void>()
  let lastId = 0

  const set = (next: readonly Upload<F>[]) => {
    uploads = next
    for (const listener of listeners) listener()
  }
  const change = (id: number, changes: Partial<Upload<F>>) =>
    set(uploads.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)))

  async function start(id: number, content: C, send: Send<C, F>): Promise<void> {
    const stop = new AbortController()
    stops.set(id, stop)
    change(id, { state: 'sending' })
    try {
      const made = await send(content, (progress) => change(id, { progress }), stop.signal)
      change(id, { state: 'sent', progress: 1, made })
      onSent(made)
    } catch (error) {
      change(id, { state: 'refused', error })
    }
    stops.delete(id)
    fill()
  }

  /** Starts uploads up to the limit of simultaneous ones. */
  function fill(): void {
    for (const [id, begin] of waiting) {
      if (stops.size >= MAX_PARALLEL_UPLOADS) return
      waiting.delete(id)
      void begin()
    }
  }

  return {
    list: () => uploads,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add: (contents, send) => {
      const added = contents.map((content): Upload<F> => {
        lastId += 1
        const id = lastId
        waiting.set(id, () => start(id, content, send))
        return { id, name: content.name, size: content.size, state: 'waiting', progress: 0 }
      })
      set([...uploads, ...added])
      fill()
    },
    remove: (id) => {
      waiting.delete(id)
      stops.get(id)?.abort()
      set(uploads.filter((upload) => upload.id !== id))
    },
    tidy: () => set(uploads.filter(({ state }) => state === 'waiting' || state === 'sending')),
    isBusy: () => waiting.size > 0 || stops.size > 0,
  }
}
