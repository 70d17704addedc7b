import { mediaTypeOf } from '../../../http/media-type.ts'
import { masked } from '../../enrichers/lanes/masked.ts'
import { type Adapter, type Analysis, type Call, DetonatorError, type Report } from '../adapter.ts'

const MAX_SCREENSHOTS = 20
const MAX_SCREENSHOT_BYTES = 5 * 2 ** 20
/** A shorter secret may occur by chance, and masking it would spoil the report. */
const MIN_SECRET_LENGTH = 4

/** A report with its files, ready to be stored. */
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
  const report = await adapter.report(call, analysis)
  const warnings: string[] = []
  const screenshots: { filename: string; content: Buffer }[] = []
  const more = report.screenshots.length - MAX_SCREENSHOTS
  if (more > 0) warnings.push(`${more} further screenshots were left out.`)
  let lost = 0
  for (const { filename, request } of report.screenshots.slice(0, MAX_SCREENSHOTS)) {
    const content = await fetchImage(call, request)
    if (content) screenshots.push({ filename, content })
    else lost++
  }
  if (lost > 0) warnings.push(`${lost} screenshots could not be read.`)
  const content = maskedBytes(report.raw.content, secrets)
  return { report: { ...report, raw: { ...report.raw, content } }, screenshots, warnings }
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

function maskedBytes(content: Buffer, secrets: readonly string[]): Buffer {
  const present = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH && content.includes(secret))
  // In this encoding every byte is one character, so that all others stay as they are.
  return present.length === 0 ? content : Buffer.from(masked(content.toString('latin1'), present), 'latin1')
}
