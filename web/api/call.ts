/** One error of a response. */
export interface Fault {
  readonly status: number
  readonly title: string
  readonly detail: string
}

/** A request that failed; its message can be shown to users. */
export class CallError extends Error {
  override name = 'CallError'
  readonly status: number
  readonly faults: readonly Fault[]

  constructor(status: number, faults: readonly Fault[]) {
    super(faults.map(({ detail }) => detail).join('\n') || `The server responded with status ${status}.`)
    this.status = status
    this.faults = faults
  }
}

let csrfToken = ''

/** Stores the CSRF token that is sent with every write. */
export const setCsrfToken = (token: string): void => {
  csrfToken = token
}

/** The CSRF token, for requests that do not use `call`. */
export const getCsrfToken = (): string => csrfToken

const listeners = new Set<() => void>()

/** Registers a listener for the end of the session. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Notifies all listeners that the session has ended. */
export function notifySignedOut(): void {
  for (const listener of listeners) listener()
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Calls the API; throws a `CallError` if the request fails. */
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
    throw new CallError(0, [
      {
        status: 0,
        title: 'No connection',
        detail: 'The server cannot be reached. Check your connection and try again.',
      },
    ])
  })
  const text = await response.text()
  const answer = text === '' ? undefined : parsed(text)
  if (response.ok) return answer as T
  if (response.status === 401 && !path.startsWith('session')) notifySignedOut()
  throw new CallError(response.status, Array.isArray(answer) ? (answer as Fault[]) : [])
}

/** Parses JSON; undefined if the text is not valid JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
