import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { createGzip } from 'node:zlib'

type Way = (request: IncomingMessage, response: ServerResponse, socket: Socket) => void

const piece = Buffer.alloc(64 * 1024)

/** Writes the same data repeatedly until the client disconnects. */
function forever(write: () => unknown, socket: Socket, pause: number): void {
  const timer = setInterval(write, pause)
  socket.on('close', () => clearInterval(timer))
}

const says =
  (status: number, headers: Record<string, string> = {}): Way =>
  (_, response) =>
    void response.writeHead(status, headers).end('the secret was hunter2')

/** The ways in which a server can fail its clients, by the first part of the path. */
export const HOSTILE = {
  silent: () => {},
  stalling: (_, response) => void response.writeHead(200, { 'content-length': '1000' }).write('x'),
  'slow-headers': (_, __, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    forever(() => socket.write('x'), socket, 20)
  },
  'slow-body': (_, response, socket) => {
    response.writeHead(200)
    forever(() => response.write(' '), socket, 20)
  },
  broken: (_, response, socket) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"objects": [', () => socket.destroy())
  },
  'too-short': (_, __, socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{}'),
  'two-lengths': (_, __, socket) =>
    void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'),
  'broken-chunks': (_, __, socket) =>
    void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
  'broken-gzip': (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from('1f8b08000000000000034b4c4a06', 'hex'))
  },
  'no-gzip': (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('{} is no gzip'),
  'odd-packing': (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x'),
  'no-http': (_, __, socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  'ten-gigabytes': (_, response) => void response.writeHead(200, { 'content-length': '10737418240' }).write(piece),
  endless: (_, response, socket) => {
    response.writeHead(200)
    const write = () => {
      while (!socket.destroyed && response.write(piece));
    }
    response.on('drain', write)
    write()
  },
  bomb: (_, response, socket) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    const gzip = createGzip()
    gzip.pipe(response)
    forever(() => gzip.write(piece), socket, 0)
  },
  'header-flood': (_, __, socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    forever(() => socket.write(`X-Flood: ${'x'.repeat(1000)}\r\n`), socket, 0)
  },
  private: says(302, { location: 'http://10.1.2.3/' }),
  metadata: says(307, { location: 'http://169.254.169.254/latest/meta-data/' }),
  mapped: says(302, { location: 'http://[::ffff:10.0.0.1]/' }),
  file: says(302, { location: 'file:///etc/passwd' }),
  credentials: says(302, { location: 'http://user:hunter2@127.0.0.1/' }),
  'other-service': says(302, { location: 'http://127.0.0.1:6379/' }),
  nowhere: says(302),
  circle: (request, response) => void response.writeHead(302, { location: request.url ?? '' }).end(),
  'not-allowed': says(401),
  forbidden: says(403),
  missing: says(404),
  busy: says(429, { 'retry-after': '120' }),
  failing: says(500),
  unavailable: says(503, { 'retry-after': '60' }),
} satisfies Record<string, Way>

/** A server on this machine that responds in all of these ways, or as `answer` does. */
export async function startServer(answer: RequestListener = hostile, tls?: TlsOptions) {
  const asked: { url: string; headers: IncomingMessage['headers']; method: string }[] = []
  const listener: RequestListener = (request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers, method: request.method ?? '' })
    response.on('error', () => {})
    answer(request, response)
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.on('connection', (socket) => socket.on('error', () => {}))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    server,
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    asked,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const hostile: RequestListener = (request, response) => {
  const way = Object.entries(HOSTILE).find(([name]) => request.url?.split(/[/?]/)[1] === name)?.[1] as Way | undefined
  if (way) way(request, response, request.socket)
  else response.writeHead(404).end()
}
