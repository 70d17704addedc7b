import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, json, type Prompted } from './scripted-provider.ts'

export type Format = 'openai' | 'ollama'
type Expected =
  | { readonly answer: string; readonly isCutOff?: boolean }
  | { readonly status: 424 | 429; readonly detail: RegExp }

/** A way in which providers fail or differ, and what becomes of it. */
export interface ProviderFault {
  readonly name: string
  /** Makes the fault anew: some providers recover. */
  play(): Fault
  readonly expected: Expected
  /** How many times the provider is asked. One number if it is the same in both formats. */
  readonly calls?: number | Readonly<Record<Format, number>>
  /** Absent if both formats have it. */
  readonly only?: Format
  /** Takes pauses, so that it is tried in one way only. */
  readonly isSlow?: boolean
}

export const ANSWER = 'Crows fly over Köln – at night 🐦.'

const formatOf = ({ path }: Prompted): Format => (path.endsWith('/api/chat') ? 'ollama' : 'openai')

type Write = (response: ServerResponse, prompted: Prompted, format: Format) => unknown
const always =
  (write: Write): (() => Fault) =>
  () =>
  (prompted) =>
  (response) =>
    write(response, prompted, formatOf(prompted))

/** Fails until the model has been asked `times` times. */
const first =
  (times: number, write: Write): (() => Fault) =>
  () => {
    let count = 0
    return (prompted) => (count++ < times ? (response) => write(response, prompted, formatOf(prompted)) : undefined)
  }

const TYPES = { openai: 'text/event-stream', ollama: 'application/x-ndjson' }
const begin = (response: ServerResponse, format: Format): ServerResponse =>
  response.writeHead(200, { 'content-type': TYPES[format] })

const line = (format: Format, document: object): string =>
  format === 'openai' ? `data: ${JSON.stringify(document)}\n\n` : `${JSON.stringify(document)}\n`
const token = (format: Format, content: string): string =>
  line(
    format,
    format === 'openai'
      ? { choices: [{ delta: { content }, finish_reason: null }] }
      : { message: { content }, done: false },
  )
const last = (format: Format, reason = 'stop'): string =>
  line(
    format,
    format === 'openai'
      ? { choices: [{ delta: {}, finish_reason: reason }] }
      : { message: { content: '' }, done: true, done_reason: reason, prompt_eval_count: 11, eval_count: 7 },
  )
const done = (format: Format): string => (format === 'openai' ? 'data: [DONE]\n\n' : '')
const answered = (format: Format, text = ANSWER, reason = 'stop'): string =>
  [...(text.match(/.{1,7}/gsu) ?? []).map((piece) => token(format, piece)), last(format, reason), done(format)].join('')

/** An error in the words of each format, which repeats the key. */
const refusing =
  (status: number, error: object, headers: Record<string, string> = {}): Write =>
  (response, { authorization }, format) => {
    const message = `${JSON.stringify(error)} for ${authorization}`
    const document = { error: format === 'openai' ? { ...error, message } : message }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document))
  }

/** Refuses a part of the request, in words of a real server, until it is left out. */
export const picky =
  (isRefused: (prompted: Prompted) => boolean, message: string, status = 400): (() => Fault) =>
  () =>
  (prompted) =>
    isRefused(prompted)
      ? (response) => refusing(status, { message })(response, prompted, formatOf(prompted))
      : undefined

const endless =
  (piece: (format: Format) => string): Write =>
  (response, _, format) => {
    begin(response, format)
    const text = piece(format)
    const write = () => {
      while (!response.destroyed && response.write(text));
    }
    response.on('drain', write)
    write()
  }

const fine: Expected = { answer: ANSWER }
const failed = (detail: RegExp): Expected => ({ status: 424, detail })

/** Everything that providers were seen to do, apart from answering. */
export const PROVIDER_FAULTS: readonly ProviderFault[] = [
  {
    name: 'a slow first byte',
    expected: fine,
    play: always(async (response, _, format) => {
      await sleep(300)
      begin(response, format).end(answered(format))
    }),
  },
  {
    name: 'tokens cut inside a character that is not shown',
    expected: fine,
    play: always((response, _, format) => {
      const units = `${ANSWER.slice(0, 9)}\u{e0041}${ANSWER.slice(9)}`.split('')
      begin(response, format)
      for (const unit of units) response.write(token(format, unit))
      response.end(`${last(format)}${done(format)}`)
    }),
  },
  {
    name: 'slow tokens',
    expected: fine,
    play: always(async (response, _, format) => {
      begin(response, format)
      for (const piece of ANSWER.match(/.{1,12}/gsu) ?? []) {
        response.write(token(format, piece))
        await sleep(20)
      }
      response.end(`${last(format)}${done(format)}`)
    }),
  },
  {
    name: 'a stream that is cut inside characters',
    expected: fine,
    play: always(async (response, _, format) => {
      begin(response, format).socket?.setNoDelay(true)
      for (const byte of Buffer.from(answered(format))) {
        response.write(Buffer.from([byte]))
        if (byte > 127) await sleep(1)
      }
      response.end()
    }),
  },
  {
    name: 'comments, empty lines and CRLF',
    expected: fine,
    play: always((response, _, format) => {
      const noise = format === 'openai' ? ': PROCESSING\n\n' : '\n\n'
      const text = `${noise}${answered(format).replaceAll('\n\n', `\n\n${noise}`)}`
      begin(response, format).end(text.replaceAll('\n', '\r\n'))
    }),
  },
  {
    name: 'no mark at the end',
    expected: fine,
    play: always((response, _, format) => {
      const text = answered(format)
      begin(response, format).end(text.slice(0, text.length - done(format).length).trimEnd())
    }),
  },
  {
    name: 'one document in place of a stream',
    expected: fine,
    play: always((response, _, format) =>
      json(
        response,
        format === 'openai'
          ? { choices: [{ message: { content: ANSWER }, finish_reason: 'stop' }] }
          : { message: { content: ANSWER }, done: true, done_reason: 'stop' },
      ),
    ),
  },
  {
    name: 'content in parts, and a stream without its type',
    only: 'openai',
    expected: fine,
    play: always((response) => {
      const content = [
        { type: 'thinking', thinking: ['Hm.'] },
        { type: 'text', text: ANSWER },
      ]
      response
        .writeHead(200)
        .end(`data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] })}\n\n`)
    }),
  },
  {
    name: 'an answer that breaks off',
    expected: failed(/^The provider's answer broke off\.$/),
    play: always((response, _, format) => begin(response, format).end(token(format, 'Crows fly'))),
  },
  {
    name: 'a stream that ends inside an event',
    only: 'openai',
    expected: failed(/^The provider's answer broke off\.$/),
    play: always((response) => begin(response, 'openai').end(`${token('openai', 'Crows')}data: {"choices": [`)),
  },
  {
    name: 'a connection that is cut in an answer',
    expected: failed(/the response broke off/),
    play: always((response, _, format) =>
      begin(response, format).write(token(format, 'Crows fly'), () => setTimeout(() => response.destroy(), 20)),
    ),
  },
  {
    name: 'an error after the answer has begun',
    expected: failed(/^The provider reported an error in its answer\.$/),
    play: always((response, { authorization }, format) => {
      const error = format === 'openai' ? { message: `Failed: ${authorization}` } : `Failed: ${authorization}`
      begin(response, format).end(`${token(format, 'Crows')}${line(format, { error })}${done(format)}`)
    }),
  },
  {
    name: 'an event named error',
    only: 'openai',
    expected: { status: 429, detail: /^The provider reported an error in its answer: it is busy\.$/ },
    play: always((response, _, format) =>
      begin(response, format).end(
        `${token(format, 'Crows')}event: error\n${line(format, { code: 429, message: 'Wait' })}`,
      ),
    ),
  },
  {
    name: '429 with a time to wait',
    expected: { status: 429, detail: /^The provider responded with 429: it is busy\.$/ },
    play: always(refusing(429, { type: 'rate_limit' }, { 'retry-after': '120' })),
  },
  {
    name: '429 without a time to wait',
    isSlow: true,
    calls: 3,
    expected: { status: 429, detail: /it is busy/ },
    play: always(refusing(429, { type: 'rate_limit' })),
  },
  {
    name: '429 for a second, and then fine',
    isSlow: true,
    calls: 2,
    expected: fine,
    play: first(1, refusing(429, {}, { 'retry-after': '1' })),
  },
  {
    name: 'no credit left',
    expected: failed(/^The provider responded with 429: its account has no credit left\.$/),
    play: always(refusing(429, { code: 'insufficient_quota' }, { 'retry-after': '1' })),
  },
  {
    name: '500',
    isSlow: true,
    calls: 3,
    expected: failed(/^The provider responded with 500\.$/),
    play: always(refusing(500, {})),
  },
  { name: '503 and then fine', isSlow: true, calls: 2, expected: fine, play: first(1, refusing(503, {})) },
  {
    name: 'a connection that is closed',
    isSlow: true,
    calls: 3,
    expected: failed(/^The provider could not be reached: the connection failed/),
    play: always((response) => response.destroy()),
  },
  {
    name: '401 that repeats the key',
    expected: failed(/^The provider responded with 401: it rejected the key\.$/),
    play: always(refusing(401, { code: 'invalid_api_key' })),
  },
  {
    name: 'a redirect',
    expected: failed(/^The provider responded with 307 and a redirect, which is not followed\.$/),
    play: always((response, { path }) => response.writeHead(307, { location: path }).end()),
  },
  {
    name: 'an unknown model',
    expected: failed(/^The provider responded with 404: it does not know the model or the path\.$/),
    play: always(refusing(404, {})),
  },
  {
    name: 'a web page',
    expected: failed(/is not in the format of this kind of provider/),
    play: always((response, { authorization }) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<html><body>Sign in, ${authorization}</body></html>`),
    ),
  },
  {
    name: 'a refusal',
    only: 'openai',
    expected: failed(/^The model refused to answer\.$/),
    play: always((response) =>
      begin(response, 'openai').end(
        `${line('openai', { choices: [{ delta: { refusal: 'No.' }, finish_reason: null }] })}${last('openai')}${done('openai')}`,
      ),
    ),
  },
  {
    name: 'an answer that a filter stopped',
    only: 'openai',
    expected: failed(/^The model refused to answer\.$/),
    play: always((response) => begin(response, 'openai').end(answered('openai', 'Crows', 'content_filter'))),
  },
  {
    name: 'an empty answer',
    expected: failed(/^The model gave no answer\.$/),
    play: always((response, _, format) => begin(response, format).end(answered(format, ''))),
  },
  {
    name: 'thoughts without an answer',
    expected: failed(/^The model gave no answer\.$/),
    play: always((response, _, format) => begin(response, format).end(answered(format, '<think>Hm.</think>\n'))),
  },
  {
    name: 'an answer that reached its maximum',
    expected: { answer: ANSWER, isCutOff: true },
    play: always((response, _, format) => begin(response, format).end(answered(format, ANSWER, 'length'))),
  },
  {
    name: 'white space without end',
    expected: failed(/^The model did not come to an end, and was stopped\.$/),
    play: always(endless((format) => token(format, '\n   '))),
  },
  {
    name: 'an answer without end',
    expected: failed(/^The model did not come to an end, and was stopped\.$/),
    play: always(endless((format) => token(format, 'caw '.repeat(4000)))),
  },
  {
    name: '10 MB without a line break',
    expected: failed(/^The provider's response cannot be used: the response is larger than 8388608 bytes\.$/),
    play: always((response, _, format) => begin(response, format).end(`data: ${'x'.repeat(10 * 2 ** 20)}`)),
  },
  {
    name: 'a text that is too long',
    calls: { openai: 2, ollama: 1 },
    expected: failed(/^The provider responded with 400: the text is too long for the model\.$/),
    play: always(refusing(400, { code: 'context_length_exceeded' })),
  },
  {
    name: 'no room for thoughts',
    only: 'openai',
    calls: 2,
    expected: fine,
    play: picky(
      ({ body }) => Number(body.max_tokens) > 4000,
      "'max_tokens' or 'max_completion_tokens' is too large: 4400. This model's maximum context length is 4096 tokens",
    ),
  },
  {
    name: 'a prompt that was cut from its start',
    only: 'ollama',
    expected: failed(/^The text is too long for the context of the model\.$/),
    play: always((response, { body }) => {
      const { num_ctx } = body.options as { num_ctx: number }
      const end = { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: num_ctx }
      begin(response, 'ollama').end(`${token('ollama', 'Crows')}${JSON.stringify(end)}\n`)
    }),
  },
  {
    name: 'usage that cannot be true',
    expected: fine,
    play: always((response, _, format) => {
      const end =
        format === 'openai'
          ? `${line(format, { choices: [], usage: { prompt_tokens: 1e300, completion_tokens: -7 } })}${done(format)}`
          : line(format, { message: {}, done: true, done_reason: 'stop', prompt_eval_count: -1.5, eval_count: 1e300 })
      begin(response, format).end(`${token(format, ANSWER)}${format === 'openai' ? last(format) : ''}${end}`)
    }),
  },
  {
    name: 'usage is not reported',
    only: 'openai',
    calls: 2,
    expected: fine,
    play: picky(({ body }) => 'stream_options' in body, 'Extra inputs are not permitted: stream_options'),
  },
  {
    name: 'a model that cannot think',
    only: 'ollama',
    calls: 2,
    expected: fine,
    play: picky(({ body }) => 'think' in body, '"crow:1b" does not support thinking'),
  },
  {
    name: 'another name of the limit',
    only: 'openai',
    calls: 2,
    expected: fine,
    play: picky(
      ({ body }) => 'max_tokens' in body,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
  },
  {
    name: 'no choice of a temperature',
    only: 'openai',
    calls: 2,
    expected: fine,
    play: picky(
      ({ body }) => 'temperature' in body,
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    ),
  },
]
