/** What is wrong with a request, one for each fault. */
export interface Fault {
  readonly status: number
  readonly title: string
  readonly detail: string
}

/** A request that was refused; its message is fit to be shown. */
export class CallError extends Error {
  override name = 'CallError'
  readonly status: number
  readonly faults: readonly Fault[]

  constructor(status: number, faults: readonly Fault[]) {
    super(faults.map(({ detail }) => detail).join('\n') || `The server answered ${status}.`)
    this.status = status
    this.faults = faults
  }
}

let csrfToken = ''

/** Remembers the proof that writes of this page carry. */
export const setCsrfToken = (token: string): void => {
  csrfToken = token
}

/** The proof itself, for what cannot go through `call`. */
export const getCsrfToken = (): string => csrfToken

const listeners = new Set<() => void>()

/** Calls when the server no longer knows the session. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells all who listen that the server no longer knows the session. */
export function tellSignedOut(): void {
  for (const listener of listeners) listener()
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls the API of the server that the page came from; a refusal is a `CallError`. */
export async function call<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(`/api/v2/${path}`, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new CallError(0, [{ status: 0, title: 'No connection', detail: 'The server cannot be reached.' }])
  })
  const text = await response.text()
  const answer = text === '' ? undefined : parsed(text)
  if (response.ok) return answer as T
  if (response.status === 401 && !path.startsWith('session')) tellSignedOut()
  throw new CallError(response.status, Array.isArray(answer) ? (answer as Fault[]) : [])
}

/** What a text is as JSON; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
