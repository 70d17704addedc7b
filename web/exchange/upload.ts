import { CallError, type Fault, getCsrfToken, notifySignedOut, parsed } from '../api/call.ts'
import type { File as StoredFile } from '../api/resources.ts'

/** Metadata of an upload: file fields as texts, lists as repeated fields. */
export type UploadFields = Readonly<Record<string, string | readonly string[]>>

/** Uploads a file; unlike `fetch`, it reports progress. */
export function uploadFile(
  content: Blob & { readonly name: string },
  fields: UploadFields,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/v2/files')
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('x-csrf-token', getCsrfToken())
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      const answer = parsed(request.responseText)
      if (request.status >= 200 && request.status < 300) {
        resolve((answer as { data: StoredFile }).data)
        return
      }
      if (request.status === 401) notifySignedOut()
      reject(new CallError(request.status, Array.isArray(answer) ? (answer as Fault[]) : []))
    }
    request.onerror = () => reject(lost('The connection was lost during the upload. Try again.'))
    request.onabort = () => reject(lost('The upload was cancelled.'))
    signal.addEventListener('abort', () => request.abort())
    request.send(formOf(content, fields))
  })
}

/** The form data of an upload. Fields come first, so that errors in them are found before the content has been sent. */
export function formOf(content: Blob & { readonly name: string }, fields: UploadFields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of typeof value === 'string' ? [value] : value) form.append(name, each)
  }
  form.append('file', content, content.name)
  return form
}

const lost = (detail: string): CallError => new CallError(0, [{ status: 0, title: 'Upload failed', detail }])
