import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, type Outcome, TaskError } from '../../../background/task.ts'
import { ApiError } from '../../../engine/errors.ts'
import { NOBODY } from '../../../engine/route.ts'
import { blobsOf } from '../../../intelligence/stored-blobs/store.ts'
import { type Spooled, TooLarge } from '../../../ports/blobs.ts'
import { OutboundError } from '../../../ports/outbound.ts'
import { loadTable } from './load-table.ts'

const MINUTE_MS = 60_000
const TIMEOUT_MS = 30 * MINUTE_MS
const MAX_DOWNLOAD_BYTES = 256 * 2 ** 20

const KEPT = 'The table keeps its content.'

/** Downloads the content of a table. If that fails, the table keeps what it has. */
export const refreshTable = defineTask({
  type: 'enricher-table',
  doc: 'Downloads the content of an enricher table. Each table owns one of these tasks.',
  parameters: z.object({ table: z.int().describe('The id of the table.') }),
  isUnique: true,
  run: async (job) => {
    const { table } = job.parameters
    const { rows } = await sql<{ url: string | null }>`select url from enricher_tables where id = ${table}`.execute(
      job.db,
    )
    const [found] = rows
    if (!found) throw new TaskError(`There is no enricher table ${table}.`, { isFinal: true })
    if (found.url === null)
      throw new TaskError('The table has no address to download from: set its url.', { isFinal: true })
    return refresh(job, table, found.url)
  },
})

async function refresh(job: Job<unknown>, table: number, url: string): Promise<Outcome> {
  try {
    await using content = await download(job, url)
    job.signal.throwIfAborted()
    const loaded = await loadTable({ ...job, caller: { ...NOBODY, id: job.callerId ?? 0 } }, table, content)
    job.log(loaded.isSame ? 'The content has not changed.' : `Loaded ${loaded.rows} rows from ${loaded.size} bytes.`)
    return { result: loaded }
  } catch (error) {
    job.signal.throwIfAborted()
    const host = hostOf(url)
    if (error instanceof OutboundError) {
      const isFinal = error.kind === 'refused-address'
      throw new TaskError(`${host} could not be read: ${error.message}. ${KEPT}`, { isFinal, cause: error })
    }
    if (error instanceof TooLarge)
      throw new TaskError(`${host} sent more than ${error.mostBytes} bytes. ${KEPT}`, { isFinal: true })
    if (error instanceof ApiError && error.status < 500)
      throw new TaskError(`What ${host} sent cannot be loaded: ${error.message.replace(/^data: /, '')}. ${KEPT}`, {
        isFinal: true,
      })
    throw error
  }
}

async function download({ outbound, signal, ...server }: Job<unknown>, url: string): Promise<Spooled> {
  if (!outbound) throw new TaskError('This process does not call other servers.')
  const limits = { timeoutMs: TIMEOUT_MS, idleMs: MINUTE_MS, mostBytes: MAX_DOWNLOAD_BYTES }
  const opened = await outbound.open(url, { signal }, limits)
  try {
    if (opened.status !== 200)
      throw new TaskError(`${hostOf(url)} responded with ${opened.status}. ${KEPT}`, {
        isFinal: isFinal(opened.status),
      })
    return await blobsOf(server).spool(opened.body, MAX_DOWNLOAD_BYTES)
  } finally {
    opened.close()
  }
}

/** The host of an address, for messages; its path and query may contain a secret. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? 'the server'

/** Whether a retry is of no use. */
const isFinal = (status: number): boolean => status < 500 && status !== 408 && status !== 429
