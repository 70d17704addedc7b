import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'

interface Event {
  readonly type: string
  readonly data: { readonly nesting?: number; readonly message?: string; readonly skip?: string | boolean | undefined }
}

/** The built-in report, with the reasons for skipped tests before the final counts, so that a green run hides nothing. */
export default async function* report(events: AsyncIterable<Event>): AsyncGenerator<string> {
  yield* Readable.from(withReasons(events)).pipe(new spec())
}

async function* withReasons(events: AsyncIterable<Event>): AsyncGenerator<Event> {
  const reasons = new Map<string, number>()
  for await (const event of events) {
    const { skip, nesting, message } = event.data
    if (event.type === 'test:pass' && skip !== undefined && skip !== false) {
      const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given'
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
    const isFirstCount = event.type === 'test:diagnostic' && nesting === 0 && message?.startsWith('tests ')
    if (isFirstCount) {
      for (const [reason, count] of reasons) {
        yield { ...event, data: { ...event.data, message: `not run: ${count} (${reason})` } }
      }
    }
    yield event
  }
}
