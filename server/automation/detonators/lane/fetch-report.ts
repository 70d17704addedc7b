import { mediaTypeOf } from '../../../http/media-type.ts'
import { type Adapter, type Analysis, type Call, DetonatorError, type Report } from '../adapter.ts'
import { readReport } from './read-report.ts'

const MAX_SCREENSHOT_BYTES = 5 * 2 ** 20

/** A report within the limits and with its files, ready to be stored. */
export interface Fetched {
  readonly report: Report
  readonly screenshots: readonly { readonly filename: string; readonly content: Buffer }[]
  readonly warnings: readonly string[]
}

/** Fetches a report and its screenshots. Secrets that the vendor repeats in it are masked. */
export async function fetchReport(
  adapter: Adapter,
  call: Call,
  analysis: Analysis,
  secrets: readonly string[],
): Promise<Fetched> {
  const report = await readReport(adapter, call, analysis, secrets)
  const warnings: string[] = []
  const screenshots: { filename: string; content: Buffer }[] = []
  let lost = 0
  for (const { filename, request } of report.screenshots) {
    const content = await fetchImage(call, request)
    if (content) screenshots.push({ filename, content })
    else lost++
  }
  if (lost > 0) warnings.push(`${lost} screenshots could not be read.`)
  return { report, screenshots, warnings }
}

/** A screenshot is no reason to lose a report. */
async function fetchImage(call: Call, request: Report['screenshots'][number]['request']): Promise<Buffer | undefined> {
  try {
    const { status, body } = await call.send({ ...request, mostBytes: MAX_SCREENSHOT_BYTES })
    return status === 200 && mediaTypeOf(body).startsWith('image/') ? body : undefined
  } catch (error) {
    if (error instanceof DetonatorError) return undefined
    throw error
  }
}
