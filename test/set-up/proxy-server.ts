import { connect, type Socket } from 'node:net'
import { startServer } from './hostile-server.ts'

/** An HTTP proxy on this machine. It rejects requests for `localhost` with 407, with any credentials. */
export async function startProxy() {
  const tunnels: string[] = []
  const proxy = await startServer((request, response) => {
    if (request.url?.startsWith('http://localhost')) response.writeHead(407).end()
    else response.end(`by proxy: ${request.url}`)
  })
  proxy.server.on('connect', ({ url = '' }, socket: Socket) => {
    tunnels.push(url)
    if (url.startsWith('localhost')) return void socket.end('HTTP/1.1 407 No\r\n\r\n')
    const target = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
    socket.on('close', () => target.destroy())
  })
  return { ...proxy, tunnels }
}
