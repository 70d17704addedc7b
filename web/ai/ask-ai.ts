import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { CallError, type Fault, getCsrfToken, notifySignedOut, parsed } from '../api/call.ts'

/** What arrives before the result: `start`, `token`, `citation` and `progress`. */
export interface AiEvent {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: every operation has events of its own
  readonly data: any
}

interface Asking {
  readonly onEvent?: (event: AiEvent) => void
  readonly signal?: AbortSignal
}

/**
 * Asks an operation below `/ai/`, such as `chat`, and reports events while the answer arrives. Returns the result. Throws a `CallError`, or
 * the reason of the signal; the server stops the model once the signal aborts.
 */
export async function askAi<R>(path: string, data: object, { onEvent, signal }: Asking = {}): Promise<R> {
  const response = await fetch(`/api/v2/ai/${path}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      accept: 'text/event-stream, application/json',
      'content-type': 'application/json',
      'x-csrf-token': getCsrfToken(),
    },
    body: JSON.stringify({ data }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : lost()
  })
  if (!response.ok) {
    if (response.status === 401) notifySignedOut()
    const answer = parsed(await response.text())
    throw new CallError(response.status, Array.isArray(answer) ? (answer as Fault[]) : [])
  }
  return resultOf<R>(response, onEvent, signal)
}

async function resultOf<R>(response: Response, onEvent: Asking['onEvent'], signal?: AbortSignal): Promise<R> {
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      parser.feed(decoder.decode(value, { stream: !done }))
      for (const { event = '', data } of messages.splice(0)) {
        const read = JSON.parse(data)
        if (event === 'done') return read.data
        if (event === 'error') throw new CallError(read.status, [read])
        onEvent?.({ event, data: read })
      }
      if (done) throw lost()
    }
  } catch (error) {
    throw signal?.aborted || error instanceof CallError ? error : lost()
  } finally {
    void reader?.cancel().catch(() => {})
  }
}

const lost = (): CallError =>
  new CallError(0, [
    { status: 0, title: 'No connection', detail: 'The connection to the server was lost. Check it and try again.' },
  ])
