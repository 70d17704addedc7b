import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/http/log.ts'
import { run } from '../../server/start.ts'

/** What a site host is asked to do; the answer has the same name. */
export type Order = { readonly name: string; readonly settings?: Record<string, string> }
export type Answer = { readonly name: string; readonly url?: string; readonly fault?: string }

// Runs the servers of one test file after another, so that the server is loaded and compiled once for all of them.

const stops = new Map<string, AbortController>()
const answer = (sent: Answer) => void process.send?.(sent)

process.on('disconnect', () => process.exit())
process.on('message', ({ name, settings }: Order) => {
  if (settings === undefined) return stops.get(name)?.abort()
  const stop = new AbortController()
  stops.set(name, stop)
  serve(name, settings, stop.signal).then(
    () => answer({ name }),
    (error) => answer({ name, fault: String(error) }),
  )
})

function serve(name: string, settings: Record<string, string>, stop: AbortSignal): Promise<void> {
  const config = readConfig({ CORVUS_PORT: '0', ...settings })
  const say = (line: string) => {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url) answer({ name, url })
  }
  return run('serve', { config, log: createLog(config.logLevel), stop, say })
}
