import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'

/** A request for an answer or for vectors, in either format. */
export interface Prompted {
  readonly path: string
  readonly authorization: string | undefined
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  /** All messages as one text. */
  readonly text: string
  /** The schema that the answer must match, if any. */
  readonly schema: unknown
  /** The texts to embed. */
  readonly input: readonly string[]
  /** The whole body. */
  readonly body: Record<string, unknown>
}

/** What the model says: an answer, or anything else, written to the response. */
export type Script = (prompted: Prompted) => string | ((response: ServerResponse) => unknown)

/** Responds in place of the model; undefined to let the model answer. */
export type Fault = (prompted: Prompted) => ((response: ServerResponse) => unknown) | undefined

/** A provider of language models on this machine that says what a script says. It speaks both formats. */
export async function startScriptedProvider(script: Script = () => 'An answer.') {
  const prompts: Prompted[] = []
  const paths: string[] = []
  let current = script
  let fault: Fault = () => undefined
  let vectorOf: (text: string) => number[] = countedWords
  const server = createServer(async (request, response) => {
    const prompted = await read(request)
    const path = (request.url ?? '').replace(/^\/v1/, '')
    paths.push(request.url ?? '')
    if (path === '/models')
      return void json(response, { data: [{ id: 'scripted' }, { id: 'text-embedding-scripted' }] })
    if (path === '/api/tags') return void json(response, { models: [{ name: 'scripted' }, { name: 'embed-scripted' }] })
    prompts.push(prompted)
    const play = fault(prompted)
    if (play) return void play(response)
    if (path === '/embeddings')
      return void json(response, { data: prompted.input.map((text, index) => ({ index, embedding: vectorOf(text) })) })
    if (path === '/api/embed') return void json(response, { embeddings: prompted.input.map((text) => vectorOf(text)) })
    const said = current(prompted)
    if (typeof said !== 'string') return void said(response)
    if (path === '/api/chat') sayAsOllama(response, said)
    else if (path === '/chat/completions') sayAsOpenai(response, said)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    prompts,
    /** The paths of all requests, also of those for models. */
    paths,
    says: (other: Script) => {
      current = other
    },
    embeds: (other: typeof vectorOf) => {
      vectorOf = other
    },
    /** Has requests for answers and vectors fail in a way of `provider-faults.ts`, or none. */
    plays: (other: Fault = () => undefined) => {
      fault = other
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<Prompted> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const body = parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString('utf8'))
  const messages = body.messages ?? []
  return {
    path: request.url ?? '',
    authorization: request.headers.authorization,
    model: body.model ?? '',
    messages,
    text: messages.map(({ content }: { content: string }) => content).join('\n\n'),
    schema: body.response_format?.json_schema?.schema ?? body.format,
    input: [body.input ?? []].flat(),
    body,
  }
}

export const json = (response: ServerResponse, body: unknown, status = 200): unknown =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Streams an answer in the format of OpenAI, in pieces of a few characters. */
export function sayAsOpenai(response: ServerResponse, said: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of piecesOf(said))
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: null }] })}\n\n`)
  response.write(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\n`)
  response.write(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7 } })}\n\n`)
  response.end('data: [DONE]\n\n')
}

/** Streams an answer in the format of Ollama. */
export function sayAsOllama(response: ServerResponse, said: string): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  for (const content of piecesOf(said)) response.write(`${JSON.stringify({ message: { content }, done: false })}\n`)
  const counts = { prompt_eval_count: 11, eval_count: 7 }
  response.end(`${JSON.stringify({ message: { content: '' }, done: true, done_reason: 'stop', ...counts })}\n`)
}

const piecesOf = (text: string): string[] => text.match(/.{1,7}/gsu) ?? []

const WIDTH = 64

/** A vector that texts with the same words share, so that similar texts are near each other. */
export function countedWords(text: string): number[] {
  const vector = new Array<number>(WIDTH).fill(0)
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const hash = [...word].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7)
    vector[hash % WIDTH] = (vector[hash % WIDTH] ?? 0) + (hash % 2 === 0 ? 1 : -1)
  }
  return vector
}
