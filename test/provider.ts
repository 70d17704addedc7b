import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** A provider of language models on this machine; `answer` decides its response, `asked` are the requests received. */
export async function startProvider(answer: (response: ServerResponse, asked: Asked) => void) {
  const asked: Asked[] = []
  let reply = answer
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, headers })
    reply(response, { method, url, headers })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    says: (other: typeof answer) => {
      reply = other
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
