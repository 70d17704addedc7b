import { storableText } from '../../../domain/storable-text.ts'
import { masked, maskedBytes } from '../../enrichers/lanes/masked.ts'
import type { Report } from '../adapter.ts'

const MOST = {
  extracts: 2000,
  processes: 500,
  network: 2000,
  attacks: 500,
  signatures: 500,
  dropped_files: 500,
  families: 50,
  tags: 100,
} as const

const MAX_TEXT = 10_000
const MAX_SCREENSHOTS = 20

const WORDS: Readonly<Record<keyof typeof MOST, string>> = {
  extracts: 'observables',
  processes: 'processes',
  network: 'network contacts',
  attacks: 'attack nodes',
  signatures: 'signatures',
  dropped_files: 'dropped files',
  families: 'families',
  tags: 'tags',
}

/** A report within the limits and without secrets, which a vendor may repeat in it. What is left out is said in warnings. */
export function boundReport(report: Report, secrets: readonly string[]): Report {
  const warnings: string[] = []
  const cut = <K extends keyof typeof MOST>(name: K): Report[K] => {
    const all = report[name] as readonly unknown[]
    const more = all.length - MOST[name]
    if (more > 0) warnings.push(`${more} further ${WORDS[name]} were left out.`)
    return shortened(all.slice(0, MOST[name]), secrets, warnings) as Report[K]
  }
  const { raw, screenshots } = report
  const more = screenshots.length - MAX_SCREENSHOTS
  if (more > 0) warnings.push(`${more} further screenshots were left out.`)
  return {
    ...report,
    extracts: cut('extracts'),
    processes: cut('processes'),
    network: cut('network'),
    attacks: cut('attacks'),
    signatures: cut('signatures'),
    dropped_files: cut('dropped_files'),
    families: cut('families'),
    tags: cut('tags'),
    raw: { ...raw, content: maskedBytes(raw.content, secrets) },
    screenshots: screenshots.slice(0, MAX_SCREENSHOTS),
    warnings: [...report.warnings, ...warnings],
  }
}

/** The same with texts that PostgreSQL can store and that are not too long. */
function shortened(value: unknown, secrets: readonly string[], warnings: string[]): unknown {
  let long = 0
  const read = JSON.parse(
    JSON.stringify(value, (_, inner) => {
      if (typeof inner !== 'string') return inner
      if (inner.length > MAX_TEXT) long++
      return storableText(masked(inner.slice(0, 2 * MAX_TEXT), secrets), MAX_TEXT)
    }),
  )
  if (long > 0) warnings.push(`${long} texts were cut after ${MAX_TEXT} characters.`)
  return read
}
