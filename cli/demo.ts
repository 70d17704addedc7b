import { type Command, InvalidArgumentError } from 'commander'
import { TOKEN_EPILOGUE, type Where, withConnection, withServerOptions } from './connection.ts'
import { clientOf } from './demo/client.ts'
import { fill } from './demo/fill.ts'
import type { Loaded } from './demo/load.ts'
import { printRecord } from './output.ts'

interface Options extends Where {
  readonly entities: number
  readonly seed: number
  readonly relationships?: number
}

const EPILOGUE = `
The data is fictional: private networks, and names below .example and .test. The same seed gives the same data everywhere;
loading it again updates it. A larger number with the same seed adds to what a smaller one loaded.
${TOKEN_EPILOGUE}

Examples:
  corvus demo                                      10,000 entities and as many relationships, on the local server
  corvus demo --entities 1000000 --relationships 0
  CORVUS_TOKEN=cvs_… corvus demo --seed 7 --url https://corvus.example.org`

/** Adds the command that fills a server with demo data. */
export function addDemoCommand(program: Command, isJson: () => boolean): void {
  const command = program
    .command('demo')
    .description('fill a running server with demo data, for a trial or a benchmark')
    .option('--entities <number>', 'number of entities', wholeNumber(1, 100_000_000), 10_000)
    .option('--seed <number>', 'seed of the data; another seed gives other data', wholeNumber(0, 4_294_967_295), 1)
    .option('--relationships <number>', 'number of relationships; by default as many as entities', wholeNumber(0, 1e9))
  withServerOptions(command)
    .addHelpText('after', EPILOGUE)
    .action(async (options: Options) => {
      const start = Date.now()
      const loaded = await demo(options)
      printRecord({ ...loaded, seconds: Math.round((Date.now() - start) / 100) / 10 }, isJson())
    })
}

const demo = (options: Options): Promise<Loaded> =>
  withConnection(options, ({ url, token, stop }) => fill(clientOf(url, token, stop.signal), options, stop.isAsked))

function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,10}$/.test(text) && value >= minimum && value <= maximum) return value
    throw new InvalidArgumentError(`It must be an integer from ${minimum} to ${maximum}.`)
  }
}
