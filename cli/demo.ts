import { type Command, InvalidArgumentError } from 'commander'
import { type Config, readConfig } from '../server/config.ts'
import { withAdministratorToken } from './demo/administrator.ts'
import { clientOf, requireServer, TOKEN_ADVICE } from './demo/client.ts'
import { fill } from './demo/fill.ts'
import type { Loaded } from './demo/load.ts'
import { listenForStop } from './demo/stop.ts'
import { printRecord } from './output.ts'
import { Refusal } from './refusal.ts'

interface Options {
  readonly entities: number
  readonly seed: number
  readonly relationships?: number
  readonly url?: string
  readonly token?: string
}

const EPILOGUE = `
The data is invented and belongs to nobody: private networks, names below .example and .test. The same seed gives the
same data everywhere; loading it again updates it. A larger number of the same seed adds to what a smaller one loaded.

The token is that of --token, else of CORVUS_TOKEN. For the installation of this machine none is needed: a token of its
administrator is made, and ended when all is loaded. Others see --token in the list of processes.

  corvus demo                                      10,000 entities and as many relationships, into the server here
  corvus demo --entities 1000000 --relationships 0
  CORVUS_TOKEN=cvs_… corvus demo --seed 7 --url https://corvus.example.org`

/** Adds the command that fills a server with invented threat intelligence. */
export function addDemoCommand(program: Command, isJson: () => boolean): void {
  program
    .command('demo')
    .description('fill a running server with invented threat intelligence, to try it out or to measure it')
    .option('--entities <number>', 'how many entities', wholeNumber(1, 100_000_000), 10_000)
    .option('--seed <number>', 'which data; another seed gives other data', wholeNumber(0, 4_294_967_295), 1)
    .option('--relationships <number>', 'how many relationships; as many as entities if not given', wholeNumber(0, 1e9))
    .option('--url <url>', 'where the server is; the one of this installation if not given', serverUrl)
    .option('--token <token>', 'whose right it is loaded with')
    .addHelpText('after', EPILOGUE)
    .action(async (options: Options) => {
      const start = Date.now()
      const loaded = await demo(options)
      printRecord({ ...loaded, seconds: Math.round((Date.now() - start) / 100) / 10 }, isJson())
    })
}

async function demo(options: Options): Promise<Loaded> {
  const config = readConfig()
  const here = urlOf(config)
  const url = options.url ?? here
  const stop = listenForStop((text) => console.error(text))
  try {
    await requireServer(url, stop.signal)
    const work = (token: string) => fill(clientOf(url, token, stop.signal), options, stop.isAsked)
    const token = options.token ?? process.env.CORVUS_TOKEN?.trim()
    if (token) return await work(token)
    if (url !== here) throw new Refusal(`A token is needed for ${url}. ${TOKEN_ADVICE}`)
    return await withAdministratorToken(config, work)
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
  return text.replace(/\/+$/, '').replace(/\/api\/v2$/, '')
}

function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,10}$/.test(text) && value >= minimum && value <= maximum) return value
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`)
  }
}
