import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { BusboyFileStream, BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import { ApiError, badRequest } from '../../engine/errors.ts'

/** What a form brought: its fields as texts, and the file. */
export interface Form<T> {
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly file: { readonly name: string; readonly type: string; readonly taken: T } | undefined
}

const LIMITS = { files: 1, fields: 100, parts: 102, fieldSize: 512 * 1024, fieldNameSize: 200, headerPairs: 50 }
/** All fields together, because they are kept in memory. */
const MOST_IN_FIELDS = 4 * 1024 * 1024
/** A client that sends nothing for so long is gone. */
const PATIENCE_MS = 60_000
/** The parts that may hold the file. */
const NAMES = ['file', 'data']

/**
 * Reads a form while it arrives, whatever the order of its parts. The file goes to `take` piece by piece. Where the form is refused
 * in the end, what was taken is disposed of; the rest of the body is left unread.
 */
export async function readForm<T extends AsyncDisposable>(
  body: Readable,
  headers: IncomingHttpHeaders | Readonly<Record<string, string | string[] | undefined>>,
  take: (content: AsyncIterable<Buffer>) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<Form<T>> {
  const { Busboy: Parser } = await import('@fastify/busboy')
  const failure = Promise.withResolvers<never>()
  // Whoever waits hears of it; until then nobody does.
  failure.promise.catch(() => {})
  const fields = new Map<string, string[]>()
  let room = MOST_IN_FIELDS
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
    room -= value.length
    if (room < 0) refuse(`all fields together must have at most ${MOST_IN_FIELDS} bytes`)
    fields.set(name, [...(fields.get(name) ?? []), value])
  })
  parser.on('file', (field, content, name, _encoding, type) => {
    // Whoever takes it hears of it.
    content.on('error', () => {})
    if (!NAMES.includes(field)) {
      refuse(`${field.slice(0, 80)}: the part with the file must be called ${NAMES.join(' or ')}`)
      content.resume()
      return
    }
    const taking = take(content)
    taking.catch(failure.reject)
    file = { name, type, content, taking }
  })

  const stopFeeding = feed(body, parser, patienceMs, failure.reject)
  try {
    await Promise.race([finished, failure.promise])
    const taken = await Promise.race([file?.taking, failure.promise])
    return { fields, file: file && taken && { name: file.name, type: file.type, taken } }
  } catch (error) {
    // Whoever takes the file must hear that no more of it comes.
    const broken = error instanceof Error ? error : new Error(String(error))
    file?.content.destroy(broken)
    await file?.taking.then((taken) => taken[Symbol.asyncDispose]()).catch(() => {})
    throw spokenOf(broken)
  } finally {
    stopFeeding()
  }
}

/** Hands on what arrives; gives a function that ends it and lets the rest pass by, so that the client gets to its answer. */
function feed(body: Readable, parser: BusboyInstance, patienceMs: number, fail: (error: Error) => void): () => void {
  const late = () => {
    // Where the disk is slow, it is not the client who is late.
    if (body.isPaused()) timer.refresh()
    else fail(new ApiError(408, 'The request did not arrive in time.'))
  }
  const timer = setTimeout(late, patienceMs)
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

function spokenOf(error: Error): Error {
  const isOfTheParser = !(error instanceof ApiError) && /multipart|Part terminated|header/i.test(error.message)
  return isOfTheParser ? badRequest(`The body is not valid multipart/form-data: ${error.message}.`) : error
}
