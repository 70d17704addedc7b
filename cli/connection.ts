import { type Command, InvalidArgumentError } from 'commander'
import { type Config, readConfig } from '../server/config.ts'
import { requireServer, TOKEN_ADVICE } from './demo/client.ts'
import { listenForStop, type Stop } from './demo/stop.ts'
import { Refusal } from './refusal.ts'

/** The server and token options of a command. */
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

/** The help text of every command that connects to a server. */
export const TOKEN_EPILOGUE = `
The token is taken from --token or CORVUS_TOKEN. For an installation on this machine no token is needed: a token for its
administrator is created, and revoked at the end. Other users can see --token in the list of processes.`

/** Adds the options that select the server. */
export const withServerOptions = (command: Command): Command =>
  command
    .option('--url <url>', 'the URL of the server; by default the installation on this machine', serverUrl)
    .option('--token <token>', 'the API token to use')

/** Runs work on a server, with the given token or a temporary one. */
export async function withConnection<T>(where: Where, work: (connection: Connection) => Promise<T>): Promise<T> {
  const config = readConfig()
  const here = urlOf(config)
  const url = where.url ?? here
  const stop = listenForStop((text) => console.error(text))
  try {
    await requireServer(url, stop.signal)
    const token = where.token ?? process.env.CORVUS_TOKEN?.trim()
    if (token) return await work({ url, token, stop })
    if (url !== here) throw new Refusal(`A token is required for ${url}. ${TOKEN_ADVICE}`)
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
    throw new InvalidArgumentError('It must be an http or https URL such as https://corvus.example.org.')
  }
  return text.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v2$/, '')
}
