import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** An event as a client receives it. */
export interface Told {
  readonly id: string
  readonly at: string
  readonly user: string | null
  readonly resource: string
  readonly kind: string
  readonly object: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read objects of every shape
  readonly data?: any
}

/** Reads a stream of server-sent events, as a browser does. */
export async function openEventStream(url: string, token: string, headers: Record<string, string> = {}) {
  const controller = new AbortController()
  const answer = await fetch(url, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
    signal: controller.signal,
  })
  const events: Told[] = []
  let text = ''
  let lastId = ''
  let isOver = false
  let end: { status: number; reason: string } | undefined

  const take = (frame: string) => {
    const fields = frame
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    const field = Object.fromEntries(fields)
    if (field.id !== undefined) lastId = field.id
    if (field.data === undefined) return
    if (field.event === 'end') end = JSON.parse(field.data)
    else events.push(JSON.parse(field.data))
  }
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      frames.forEach(take)
    }
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true
    })

  const until = async (isThere: () => boolean, what: string) => {
    for (const deadline = Date.now() + 60_000; !isThere(); await sleep(20)) {
      if (Date.now() > deadline || (isOver && !isThere())) assert.fail(`${what}; there is ${JSON.stringify(events)}`)
    }
  }
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    lastId: () => lastId,
    ended: async () => {
      await reading
      return end
    },
    /** Waits for this many events and returns the first of them. */
    first: async (count: number) => {
      await until(() => events.length >= count, `There are no ${count} events`)
      return events
    },
    /** All events up to the one about this object. */
    upTo: async (object: string, kind?: string) => {
      const isIt = (event: Told) => event.object === object && (kind === undefined || event.kind === kind)
      await until(() => events.some(isIt), `There is nothing of ${object}`)
      return events
    },
    close: async () => {
      controller.abort()
      await reading
    },
  }
}
