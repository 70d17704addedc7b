import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyFileStream, BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import { ApiError, badRequest } from '../../engine/errors.ts'

/** A form: its fields as text, and the file. */
export interface Form<T> {
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly file: { readonly name: string; readonly type: string; readonly taken: T } | undefined
}

const LIMITS = { files: 1, fields: 100, parts: 102, fieldSize: 512 * 1024, fieldNameSize: 200, headerPairs: 50 }
/** The maximum size of all fields together, because they are kept in memory. */
const MAX_FIELDS_BYTES = 4 * 1024 * 1024
/** A client that sends nothing for this long is considered gone. */
const IDLE_TIMEOUT_MS = 60_000
/** The names of the part with the file. */
const FILE_PARTS = ['file', 'data']

/**
 * Reads a form while it arrives, with its parts in any order. The file is streamed to `take`. If the form is refused, what was taken
 * is disposed of, and the rest of the body is not read.
 */
export async function readForm<T extends AsyncDisposable>(
  body: Readable,
  headers: IncomingHttpHeaders | Readonly<Record<string, string | string[] | undefined>>,
  take: (content: AsyncIterable<Buffer>) => Promise<T>,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
): Promise<Form<T>> {
  const { Busboy: Parser } = await import('@fastify/busboy')
  const failure = Promise.withResolvers<never>()
  // Prevents an unhandled rejection before it is raced below.
  failure.promise.catch(() => {})
  const fields = new Map<string, string[]>()
  let left = MAX_FIELDS_BYTES
  let file: { name: string; type: string; content: BusboyFileStream; taking: Promise<T> } | undefined

  const parser = readHeaders(() => new Parser({ headers: headers as BusboyHeaders, limits: LIMITS }))
  const finished = new Promise<void>((resolve) => parser.once('finish', resolve))
  const refuse = (fault: string) => failure.reject(badRequest(fault))
  parser.on('error', (error) => refuse(`The body is not valid multipart/form-data: ${(error as Error).message}.`))
  parser.on('filesLimit', () => refuse('file: one request takes one file'))
  parser.on('fieldsLimit', () => refuse(`one request takes at most ${LIMITS.fields} fields`))
  parser.on('partsLimit', () => refuse(`one request takes at most ${LIMITS.parts} parts`))
  parser.on('field', (name, value, _nameIsCut, isCut) => {
    if (isCut) refuse(`${name.slice(0, 80)}: must have at most ${LIMITS.fieldSize} bytes`)
    left -= value.length
    if (left < 0) refuse(`all fields together must have at most ${MAX_FIELDS_BYTES} bytes`)
    fields.set(name, [...(fields.get(name) ?? []), value])
  })
  parser.on('file', (field, content, name, _encoding, type) => {
    // `take` receives the error as well; without a listener it would end the process.
    content.on('error', () => {})
    if (!FILE_PARTS.includes(field)) {
      refuse(`${field.slice(0, 80)}: the part with the file must be called ${FILE_PARTS.join(' or ')}`)
      content.resume()
      return
    }
    const taking = take(content)
    taking.catch(failure.reject)
    file = { name, type, content, taking }
  })

  const stopFeeding = feed(body, parser, idleTimeoutMs, failure.reject)
  try {
    await Promise.race([finished, failure.promise])
    const taken = await Promise.race([file?.taking, failure.promise])
    return { fields, file: file && taken && { name: file.name, type: file.type, taken } }
  } catch (error) {
    // Otherwise `take` would wait for the rest of the file.
    const broken = error instanceof Error ? error : new Error(String(error))
    file?.content.destroy(broken)
    await file?.taking.then((taken) => taken[Symbol.asyncDispose]()).catch(() => {})
    throw clientError(broken)
  } finally {
    stopFeeding()
  }
}

/** Pipes the body to the parser. The returned function stops that and discards the rest, so that the client reads the response. */
function feed(body: Readable, parser: BusboyInstance, idleTimeoutMs: number, fail: (error: Error) => void): () => void {
  const late = () => {
    // A paused body means that the disk is slow, not the client.
    if (body.isPaused()) timer.refresh()
    else fail(new ApiError(408, 'The request did not arrive in time.'))
  }
  const timer = setTimeout(late, idleTimeoutMs)
  const note = () => timer.refresh()
  const broken = () => fail(badRequest('The upload broke off.'))
  const closed = () => {
    if (!body.readableEnded) broken()
  }
  body.on('data', note).once('error', broken).once('close', closed)
  body.pipe(parser)
  return () => {
    clearTimeout(timer)
    body.off('data', note).off('close', closed)
    body.unpipe(parser)
    parser.removeAllListeners('error').on('error', () => {})
    if (!parser.writableFinished) parser.destroy()
    if (!body.destroyed) body.resume()
  }
}

function readHeaders<T>(open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw badRequest(`The body is not valid multipart/form-data: ${(error as Error).message}.`)
  }
}

function clientError(error: Error): Error {
  const isParserError = !(error instanceof ApiError) && /multipart|Part terminated|header/i.test(error.message)
  return isParserError ? badRequest(`The body is not valid multipart/form-data: ${error.message}.`) : error
}
