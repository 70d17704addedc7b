import { useEffect, useSyncExternalStore } from 'react'
import { invalidate } from '../api/invalidate.ts'
import type { File as StoredFile } from '../api/resources.ts'
import { createUploadQueue, type Upload } from './upload-queue.ts'

/** The uploads of this window, which continue while the user visits other pages. */
export const uploads = createUploadQueue<File, StoredFile>(() => void invalidate('files', 'workspaces'))

/** The current uploads; the browser asks for confirmation before the window is closed while one is active. */
export function useUploads(): readonly Upload<StoredFile>[] {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (uploads.isBusy()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return useSyncExternalStore(uploads.subscribe, uploads.list)
}
