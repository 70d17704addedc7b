import { type Command, InvalidArgumentError } from 'commander'
import { type Config, readConfig } from '../server/config.ts'
import { requireServer, TOKEN_ADVICE } from './demo/client.ts'
import { listenForStop, type Stop } from './demo/stop.ts'
import { Refusal } from './refusal.ts'

/** Which server a command talks to, and with whose right. */
export interface Where {
  readonly url?: string
  readonly token?: string
}

/** A server to talk to. */
export interface Connection {
  readonly url: string
  readonly token: string
  readonly stop: Stop
}

/** What every command says that talks to a server. */
export const TOKEN_EPILOGUE = `
The token is that of --token, else of CORVUS_TOKEN. For the installation of this machine none is needed: a token of its
administrator is made, and ended when all is done. Others see --token in the list of processes.`

/** Adds the options that say which server a command talks to. */
export const withServerOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'where the server is; the one of this installation if not given', serverUrl)
    .option('--token <token>', 'whose right it is done with')

/** Does work on a server, with a token that was given or one that is made for it. */
export async function withConnection<T>(where: Where, work: (connection: Connection) => Promise<T>): Promise<T> {
  const config = readConfig()
  const here = urlOf(config)
  const url = where.url ?? here
  const stop = listenForStop((text) => console.error(text))
  try {
    await requireServer(url, stop.signal)
    const token = where.token ?? process.env.CORVUS_TOKEN?.trim()
    if (token) return await work({ url, token, stop })
    if (url !== here) throw new Refusal(`A token is needed for ${url}. ${TOKEN_ADVICE}`)
    const { withAdministratorToken } = await import('./demo/administrator.ts')
    return await withAdministratorToken(config, (made) => work({ url, token: made, stop }))
  } finally {
    stop.close()
  }
}

function urlOf({ host, port }: Config): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function serverUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError('It must be an http or https address such as https://corvus.example.org.')
  }
  return text.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v2$/, '')
}
