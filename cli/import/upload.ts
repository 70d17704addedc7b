import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Connection } from '../connection.ts'
import { answerOf } from '../demo/client.ts'
import type { Source } from './sources.ts'

/** Sends a file with the fields that go with it, a few bytes at a time; answers what the server made of it. */
export async function upload(
  { url, token, stop }: Connection,
  { name, open }: Source,
  fields: readonly (readonly [name: string, value: string])[],
  onBytes: (count: number) => void,
  path = '/api/v2/files',
): Promise<unknown> {
  const boundary = `corvus-${randomUUID()}`
  async function* body() {
    for (const [field, value] of fields) {
      yield `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`
    }
    yield `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quoted(name)}"\r\n\r\n`
    for await (const chunk of open()) {
      onBytes(chunk.length)
      yield chunk
    }
    yield `\r\n--${boundary}--\r\n`
  }
  return answerOf(url, path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Readable.from(body(), { objectMode: false }),
    duplex: 'half',
    signal: stop.signal,
  })
}

/** As browsers write names of files. */
const quoted = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
