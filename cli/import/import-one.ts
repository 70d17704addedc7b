import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord } from '../../server/domain/record.ts'
import type { Connection } from '../connection.ts'
import { clientOf } from '../demo/client.ts'
import { type Progress, type Screen, showProgress } from '../demo/progress.ts'
import { Refusal } from '../refusal.ts'
import type { Source } from './sources.ts'
import { upload } from './upload.ts'

/** The options that apply to all files. */
export interface Manner {
  readonly name?: string
  readonly source?: string
  readonly tag: readonly string[]
  readonly tlp?: string
  readonly csvMapping?: string
  readonly password?: string
  readonly wait: boolean
}

type Counts = Readonly<Record<string, number>>

/** The result of importing a file. */
export interface Imported {
  readonly name: string
  readonly format: string | undefined
  readonly state: string
  readonly counts: {
    readonly entities?: Counts
    readonly relationships?: Counts
    readonly observables?: Counts
    /** Objects with lost details. */
    readonly lost?: number
  }
  readonly reason: string | undefined
}

const PAUSE_MS = 250

/** Uploads a file and waits until it is processed. A refusal is reported, and the next file follows. */
export async function importOne(
  connection: Connection,
  source: Source,
  manner: Manner,
  screen: Screen,
): Promise<Imported> {
  const name = source.name || 'standard input'
  try {
    const sending = source.size === undefined ? SILENT : showProgress(screen, `${name}: bytes sent`, source.size)
    const file = await upload(connection, source, fieldsOf(manner), sending.advance).finally(sending.end)
    if (!isRecord(file) || typeof file.run !== 'string')
      throw new Refusal('The server did not start processing the file.')
    return manner.wait ? await waitFor(connection, name, file.run, screen) : { ...NOTHING, name, state: 'PENDING' }
  } catch (error) {
    if (!(error instanceof Refusal) || connection.stop.signal.aborted) throw error
    return { ...NOTHING, name, state: 'REFUSED', reason: error.message }
  }
}

/** The size of piped input is unknown. */
const SILENT: Progress = { advance: () => undefined, end: () => undefined }

const NOTHING = { format: undefined, counts: {}, reason: undefined }

const fieldsOf = ({ source, tag, tlp, csvMapping, password }: Manner): [string, string][] => [
  ...(source === undefined ? [] : [['source', source] as [string, string]]),
  ...tag.map((each): [string, string] => ['tags', each]),
  ...(tlp === undefined ? [] : [['tlp_color', tlp] as [string, string]]),
  ...(csvMapping === undefined ? [] : [['csv_mapping', csvMapping] as [string, string]]),
  ...(password === undefined ? [] : [['password', password] as [string, string]]),
]

async function waitFor({ url, token, stop }: Connection, name: string, run: string, screen: Screen): Promise<Imported> {
  const client = clientOf(url, token, stop.signal)
  const path = new URL(run).pathname
  const progress = showProgress(screen, `${name}: percent processed`, 100)
  let shown = 0
  try {
    for (;;) {
      const data = await client.get(path)
      if (!isRecord(data)) throw new Refusal('The server did not report the result.')
      const percent = Math.floor(Number(data.progress ?? 0) * 100)
      progress.advance(Math.max(0, percent - shown))
      shown = Math.max(shown, percent)
      if (data.ended_at) return endOf(name, data)
      await sleep(PAUSE_MS)
    }
  } finally {
    progress.end()
  }
}

function endOf(name: string, { state, result, error_detail }: Readonly<Record<string, unknown>>): Imported {
  const { format, entities, relationships, observables, lost } = isRecord(result) ? result : {}
  return {
    name,
    format: typeof format === 'string' ? format : undefined,
    state: String(state),
    counts: { entities, relationships, observables, lost } as Imported['counts'],
    reason: typeof error_detail === 'string' ? error_detail : undefined,
  }
}
