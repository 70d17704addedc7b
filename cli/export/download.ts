import type { IncomingMessage } from 'node:http'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Connection } from '../connection.ts'
import { readJson, refusalOf } from '../demo/client.ts'
import { Refusal } from '../refusal.ts'

/** A document being downloaded. */
export interface Download {
  readonly pieces: AsyncIterable<Buffer>
  /** The number of entities and losses, once complete; undefined if a proxy dropped the trailers. */
  counts(): { readonly entities: number | undefined; readonly losses: number | undefined }
}

/** Starts a download. Not with `fetch`, which does not expose trailers. */
export async function download({ url, token, stop }: Connection, path: string): Promise<Download> {
  const answer = await begin(`${url}${path}`, token, stop.signal)
  const { statusCode: status = 500 } = answer
  if (status >= 300) throw refusalOf('The export', status, readJson(await buffer(answer)))
  return {
    pieces: whole(answer),
    counts: () => ({
      entities: numberIn(answer.trailers['x-corvus-entities']),
      losses: numberIn(answer.trailers['x-corvus-losses']),
    }),
  }
}

function begin(url: string, token: string, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? secureRequest : plainRequest
  const headers = { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    request(url, { headers, signal, agent: false }, resolve)
      .on('error', (error: NodeJS.ErrnoException) => {
        reject(
          new Refusal(
            signal.aborted ? 'Stopped immediately.' : `The server does not respond (${error.code ?? error.message}).`,
          ),
        )
      })
      .end()
  })
}

/** Yields the document, and fails if it is incomplete. */
async function* whole(answer: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* answer
  } catch (error) {
    throw new Refusal(`The export broke off before it was complete (${(error as Error).message}).`)
  }
  if (!answer.complete) throw new Refusal('The export broke off before it was complete.')
}

function numberIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
