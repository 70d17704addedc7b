import type { IncomingMessage } from 'node:http'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Connection } from '../connection.ts'
import { readJson, refusalOf } from '../demo/client.ts'
import { Refusal } from '../refusal.ts'

/** A document on its way here. */
export interface Download {
  readonly pieces: AsyncIterable<Buffer>
  /** How many entities are in it, and how often something had no place, once it has ended; undefined where a proxy kept that back. */
  counts(): { readonly entities: number | undefined; readonly losses: number | undefined }
}

/** Begins to fetch a document; not with `fetch`, which does not tell what comes after the end. */
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
            signal.aborted ? 'Stopped at once.' : `The server does not answer (${error.code ?? error.message}).`,
          ),
        )
      })
      .end()
  })
}

/** A document that broke off is none. */
async function* whole(answer: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* answer
  } catch (error) {
    throw new Refusal(`The server ended the export before it was whole (${(error as Error).message}).`)
  }
  if (!answer.complete) throw new Refusal('The server ended the export before it was whole.')
}

function numberIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
