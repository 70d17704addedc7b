import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOCKET = '.s.PGSQL.5432'

/** A connection to the test database that can be cut: open connections end, and new ones fail until it is restored. */
export async function openRelay(url: string) {
  const folder = await mkdtemp(join(tmpdir(), 'corvus-relay-'))
  const target = join(new URL(url).searchParams.get('host') ?? '', SOCKET)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    return socket
  }
  let server: Server
  const restore = async () => {
    server = createServer((client) => {
      const database = keep(createConnection(target))
      keep(client).pipe(database).pipe(client)
      client.on('close', () => database.destroy())
      database.on('close', () => client.destroy())
    }).listen(join(folder, SOCKET))
    await once(server, 'listening')
  }
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await restore()
  const through = new URL(url)
  through.searchParams.set('host', folder)
  return {
    url: through.href,
    cut,
    restore,
    close: async () => {
      await cut()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
