import { CallError, call, type Fault, getCsrfToken, notifySignedOut, parsed } from '../../api/call.ts'
import { invalidate } from '../../api/invalidate.ts'
import { assertSize } from '../../ui/assert-size.ts'
import { ANALYSES } from '../analyses/analysis.ts'
import { DEFENSES } from '../defenses/defense.ts'
import { FRAMEWORKS, LOADS, type ReportedLoad } from './framework.ts'

/** Where a version comes from: a file, an address, or the publisher's own address. */
export type Origin =
  | { readonly file: File; readonly version: string }
  | { readonly url: string; readonly version: string }
  | { readonly matrix: string }

/** The most that the server accepts. */
const MAX_BYTES = 200 * 1024 * 1024

/** Compares a version with the stored one, without changing anything. */
export async function previewVersion(origin: Origin, signal: AbortSignal): Promise<ReportedLoad> {
  const load = await ('file' in origin ? sendFile(origin.file, origin.version, signal) : sendAddress(origin, signal))
  await invalidate(FRAMEWORKS)
  return load
}

async function sendAddress(
  origin: Exclude<Origin, { readonly file: File }>,
  signal: AbortSignal,
): Promise<ReportedLoad> {
  const data =
    'matrix' in origin ? origin : { url: origin.url, ...(origin.version !== '' && { version: origin.version }) }
  return (await call<{ data: ReportedLoad }>('POST', `${FRAMEWORKS}/preview`, { data }, signal)).data
}

async function sendFile(file: File, version: string, signal: AbortSignal): Promise<ReportedLoad> {
  assertSize(file, MAX_BYTES)
  const body = new FormData()
  // Fields come first, so that errors in them are found before the file has been sent.
  if (version !== '') body.append('version', version)
  body.append('file', file, file.name)
  const response = await fetch(`/api/v2/${FRAMEWORKS}/preview`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { accept: 'application/json', 'x-csrf-token': getCsrfToken() },
    body,
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error
    const detail = 'The connection was lost during the upload. Try again.'
    throw new CallError(0, [{ status: 0, title: 'Upload failed', detail }])
  })
  const answer = parsed(await response.text())
  if (response.ok) return (answer as { data: ReportedLoad }).data
  if (response.status === 401) notifySignedOut()
  throw new CallError(response.status, Array.isArray(answer) ? (answer as Fault[]) : [])
}

/** What depends on the version of a framework. */
const renew = () => invalidate('attacks', ANALYSES, DEFENSES, 'entities', 'reviews of frameworks')

/** Loads a version that was compared. */
export async function loadVersion(load: number): Promise<void> {
  await call('POST', `${FRAMEWORKS}/load`, { data: { load } })
  await renew()
}

/** Goes back to the version before a load. */
export async function undoLoad(load: number): Promise<void> {
  await call('POST', `${LOADS}/${load}/undo`)
  await renew()
}

/** Removes a preview. */
export async function discardPreview(load: number): Promise<void> {
  await call('DELETE', `${LOADS}/${load}`)
  await invalidate(FRAMEWORKS)
}
