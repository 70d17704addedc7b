import { CallError, type Fault, getCsrfToken, notifySignedOut, parsed } from '../../api/call.ts'
import type { EnricherTable } from '../../api/resources.ts'

/** Replaces the content of a table with a file. */
export async function loadTable(id: number, file: File): Promise<EnricherTable> {
  const response = await fetch(`/api/v2/enricher-tables/${id}/content`, {
    method: 'PUT',
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      'x-csrf-token': getCsrfToken(),
      'content-type': 'application/octet-stream',
    },
    body: file,
  }).catch(() => {
    const detail = 'The connection was lost during the upload. Try again.'
    throw new CallError(0, [{ status: 0, title: 'Upload failed', detail }])
  })
  const answer = parsed(await response.text())
  if (response.ok) return (answer as { data: EnricherTable }).data
  if (response.status === 401) notifySignedOut()
  throw new CallError(response.status, Array.isArray(answer) ? (answer as Fault[]) : [])
}
