import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { TLP, type Tlp, tlpOf } from '../../domain/tlp.ts'
import { parseBody } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { ApiError, errorBody, refusal } from '../../engine/errors.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import { boundToWork } from '../../engine/work.ts'
import { tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { serverSetting } from '../../settings/server.ts'
import { readSetting } from '../../settings/setting.ts'
import { type Assistant, assistantOf } from '../asking/assistant.ts'
import { type Choice, readyFor } from '../asking/ready.ts'
import { promptHash } from '../asking/usage.ts'
import type { Feature } from '../features.ts'
import { generatedBy, sentSchema, strictestOf } from './generated-by.ts'

/** What an operation reports before it is complete; the name of a server-sent event and its data. */
export interface Progress {
  readonly event: 'token' | 'citation' | 'progress'
  readonly data: unknown
}

interface Operation<B extends z.ZodType, R> {
  /** Below `/ai/`. */
  readonly name: string
  readonly feature: Feature
  readonly doc: string
  /** The body, without its `data` wrapper. */
  readonly body: B
  readonly example: z.input<B>
  /** What `data` holds in a success, in addition to how it was made. */
  readonly result: z.ZodObject
  /** Whether a request may bring a text of its own, whose colour only its sender knows. */
  readonly hasText?: boolean
  /** Permissions in addition to that for AI, such as `read entities`. */
  readonly guards?: readonly string[] | ((input: z.output<B>) => readonly string[])
  /** A provider and model that the request names itself. */
  choose?(input: z.output<B>): Choice
  /** Yields progress and returns the result. It must not hold a transaction while it asks the assistant. */
  run(ctx: Context, assistant: Assistant, input: z.output<B>): AsyncGenerator<Progress, R>
}

const STREAM = 'text/event-stream'
/** Proxies give up on responses that do not begin, and on streams that rest: a large model may think for minutes. */
const PATIENCE_MS = 10_000
/** What every request may say. */
const common = z.object({ include_prompt: z.boolean().default(false) })
const withText = common.extend({
  tlp_color: tlpInput.nullish().describe('The colour of the text: it is refused if its provider may not receive it.'),
})
type Common = z.output<typeof withText>

/**
 * Makes the route of an AI operation. It responds with JSON, or with server-sent events to clients that accept them: `start`, then
 * progress, then `done` with the JSON response or `error`. What can be refused before the model is asked is refused with a status, and so
 * is what fails within the first seconds.
 */
export function defineOperation<B extends z.ZodType, R extends object>(operation: Operation<B, R>): Route {
  const { name, doc, body, example, result, hasText = false, guards = ['read entities'] } = operation
  const whole = z.intersection(body, hasText ? withText : common)
  return {
    method: 'POST',
    path: `/ai/${name}`,
    permission: 'read configurations',
    isDetached: true,
    endsWithClient: true,
    guards: ({ input }: Asked<z.output<B>>) => (typeof guards === 'function' ? guards(input) : guards),
    get doc() {
      return {
        operationId: `ai_${name.replaceAll(/[/-]/g, '_')}`,
        summary: doc,
        tag: 'ai',
        body: z.object({ data: whole }),
        example: { data: example },
        success: {
          200: z.object({
            data: result.extend({
              tlp_color: z.enum(TLP),
              generated_by: generatedBy,
              sent: z.array(sentSchema).optional(),
            }),
          }),
        },
        refusals: [400, 404, 409, 424, 429],
      }
    },
    parse: ({ body: sent, headers }: Incoming): Asked<z.output<B>> => ({
      input: parseBody(whole, sent) as z.output<B> & Common,
      isStream: String(headers.accept ?? '').includes(STREAM),
    }),
    run: async (ctx, { input, isStream }: Asked<z.output<B>>) => {
      const signal = ctx.signal ?? new AbortController().signal
      const ready = await readyFor(ctx, operation.feature, operation.choose?.(input))
      const assistant = assistantOf(ctx, ready, signal)
      assistant.admitText(await colourOf(ctx, input))
      const work = operation.run(ctx, assistant, input)
      const next = boundToWork(() => work.next())
      const leave = () => work.return(undefined as never)
      // Streams whose client disconnects before they are read would otherwise rest for ever.
      signal.addEventListener('abort', () => void leave().catch(() => {}), { once: true })
      const finish = (value: R): Done => ({ data: { ...value, ...madeBy(assistant, input.include_prompt) } })
      const first = next()
      if (!isStream) return { body: finish(await rest(await first, next)) }
      // A failure is a response of its own while nothing of this one has been sent.
      if (await isSettledWithin(first, PATIENCE_MS)) await first
      return { stream: Readable.from(frames({ first, next, leave }, finish, ready)) }
    },
    answer: (made: { stream: Readable } | { body: Done }) =>
      'stream' in made
        ? { status: 200, headers: EVENT_HEADERS, stream: made.stream }
        : { status: 200, body: made.body },
  }
}

/** The colour of the text that a request brings. */
async function colourOf({ db }: Context, { tlp_color }: Common): Promise<Tlp> {
  if (!tlp_color) return 'NONE'
  return tlpOf(tlp_color, (await readSetting(db, serverSetting)).tlp_amber_strict_downgrade)
}

interface Asked<I> {
  readonly input: I & Common
  readonly isStream: boolean
}

interface Done {
  readonly data: object
}

const EVENT_HEADERS = {
  'content-type': `${STREAM}; charset=utf-8`,
  'x-accel-buffering': 'no',
  'cache-control': 'no-store',
}

type Step<R> = IteratorResult<Progress, R>

/** The work of an operation, which has begun. */
interface Begun<R> {
  readonly first: Promise<Step<R>>
  next(): Promise<Step<R>>
  leave(): Promise<unknown>
}

async function rest<R>(first: Step<R>, next: () => Promise<Step<R>>): Promise<R> {
  for (let step = first; ; step = await next()) if (step.done) return step.value
}

async function* frames<R>(
  { first, next, leave }: Begun<R>,
  finish: (value: R) => Done,
  { provider, model }: Assistant['ready'],
): AsyncGenerator<string> {
  try {
    yield frame('start', { provider, model })
    for (let coming = first; ; coming = next()) {
      while (!(await isSettledWithin(coming, PATIENCE_MS))) yield ': waiting for the model\n\n'
      const step = await coming
      if (step.done) return yield frame('done', finish(step.value))
      yield frame(step.value.event, step.value.data)
    }
  } catch (error) {
    const refused = refusal(error)
    if (refused && refused.status < 500) return yield frame('error', errorBody(refused)[0])
    yield frame('error', errorBody(new ApiError(500, 'Internal server error.'))[0])
    throw error
  } finally {
    await leave()
  }
}

async function isSettledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController()
  const settled = () => true
  try {
    return await Promise.race([work.then(settled, settled), sleep(ms, false, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

function madeBy({ ready, sent, inputs, textColour, recalledFrom }: Assistant, isPromptWanted: boolean): object {
  return {
    tlp_color: strictestOf([textColour, ...inputs.map(({ tlp }) => tlp)]),
    generated_by: {
      feature: ready.feature,
      provider: ready.provider,
      model: ready.model,
      prompt_hash: sent.length === 0 ? null : promptHash(sent.flatMap(({ messages }) => messages)),
      generated_at: recalledFrom ?? new Date().toISOString(),
      inputs: inputs.map(({ id }) => id),
    },
    ...(isPromptWanted && { sent }),
  }
}
