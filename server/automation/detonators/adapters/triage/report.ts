import type {
  AttackReference,
  DroppedFile,
  NetworkContact,
  Process,
  Report,
  Signature,
  VendorRequest,
  Verdict,
} from '../../adapter.ts'
import { composeReport } from '../compose-report.ts'
import {
  countOf,
  digestOf,
  digestsOf,
  numberOf,
  type Part,
  partOf,
  partsOf,
  textOf,
  textsOf,
  unreadable,
} from '../document.ts'
import {
  addEndpoint,
  addFile,
  addHost,
  addUrl,
  addValue,
  CONFIGURED,
  type Extracts,
  judged,
  marked,
  noExtracts,
  seen,
} from '../extracts.ts'
import { contactOf, named, scoreOutOfTen, techniqueIn, unique, within } from '../report-parts.ts'

/** The tasks that ran on a machine and have a report, by the names that are parts of paths. */
export const tasksWithReports = (overview: Part): string[] =>
  unique(
    partsOf(overview, 'tasks').flatMap((task) => {
      const name = textOf(task, 'name') ?? ''
      return /^behavioral\d{1,3}$/.test(name) && textOf(task, 'status') === 'reported' ? [name] : []
    }),
  )

/**
 * Reads `overview.json` of Triage, and processes, connections and dumps from the reports of its tasks. Triage scores from 1 to 10: known
 * malware at 10, likely malicious from 8, suspicious from 6, likely benign below.
 */
export function reportOf(
  overview: Part,
  tasks: readonly Part[],
  content: Buffer,
  screenshot: VendorRequest,
  warnings: readonly string[],
): Report {
  const analysis = partOf(overview, 'analysis')
  const sample = partOf(overview, 'sample')
  const score = numberOf(analysis, 'score') ?? numberOf(sample, 'score')
  if (score === null && textOf(sample, 'id') === null) throw unreadable('is not an overview of Triage')
  const targets = partsOf(overview, 'targets')
  const signatures = [...partsOf(overview, 'signatures'), ...targets.flatMap((each) => partsOf(each, 'signatures'))]
  const ran = new Set(tasksWithReports(overview))
  const machines = partsOf(overview, 'tasks').filter((task) => ran.has(textOf(task, 'name') ?? ''))
  const dropped = tasks.flatMap(droppedIn)
  const extracts = noExtracts()
  for (const each of partsOf(overview, 'extracted')) addExtracted(extracts, each)
  for (const each of targets) addContacted(extracts, partOf(each, 'iocs'))
  for (const each of dropped) addFile(extracts, each, seen('dropped'))
  for (const task of tasks)
    for (const flow of partsOf(partOf(task, 'network'), 'flows'))
      addValue(extracts, 'ja3-hash', digestOf(flow, 'tls_ja3', 32), seen('sent'))
  return composeReport({
    verdict: verdictOf(score),
    score: scoreOutOfTen(score),
    families: [...textsOf(analysis, 'family'), ...partsOf(overview, 'extracted').flatMap(familiesIn)],
    tags: textsOf(analysis, 'tags'),
    environment:
      unique(machines.flatMap((task) => textOf(task, 'resource') ?? textOf(task, 'platform') ?? [])).join(', ') || null,
    started_at: textOf(sample, 'created'),
    ended_at: textOf(sample, 'completed'),
    engine_version: textOf(overview, 'version'),
    extracts,
    attacks: signatures.flatMap(techniquesOf).map(attackOf),
    processes: tasks.flatMap(processesIn),
    network: tasks.flatMap((task) => contactsIn(partOf(task, 'network'))),
    signatures: signaturesOf(signatures),
    dropped_files: dropped,
    raw: { filename: 'triage-report.json', content },
    screenshots: partsOf(overview, 'tasks').some((task) => textOf(task, 'name') === 'urlscan1')
      ? [{ filename: 'screenshot-1.png', request: screenshot }]
      : [],
    documents: [overview, ...tasks],
    warnings,
  })
}

const verdictOf = (score: number | null): Verdict =>
  score === null || score < 1 ? 'unknown' : score < 6 ? 'clean' : score < 8 ? 'suspicious' : 'malicious'

const familiesIn = (extracted: Part): string[] =>
  ['config', 'ransom_note', 'dropper'].flatMap((name) => textOf(partOf(extracted, name), 'family') ?? [])

function addExtracted(extracts: Extracts, extracted: Part): void {
  const config = partOf(extracted, 'config')
  for (const each of textsOf(config, 'c2')) addEndpoint(extracts, each, CONFIGURED)
  for (const each of textsOf(config, 'mutex')) addValue(extracts, 'mutex', each, marked('configured'))
  // Stolen data is often sent through an account at an ordinary provider.
  for (const each of [...partsOf(config, 'credentials'), ...partsOf(extracted, 'credentials')]) {
    addEndpoint(extracts, textOf(each, 'host') ?? '', seen('exfiltrates'))
    addMail(extracts, textOf(each, 'username') ?? '', 'exfiltrates')
  }
  for (const each of partsOf(partOf(extracted, 'dropper'), 'urls'))
    addUrl(extracts, textOf(each, 'url'), marked('downloads'))
  const note = partOf(extracted, 'ransom_note')
  for (const each of textsOf(note, 'urls')) addUrl(extracts, each, marked('ransom-note'))
  for (const each of textsOf(note, 'emails')) addMail(extracts, each, 'ransom-note', true)
  for (const each of textsOf(note, 'wallets')) addValue(extracts, 'crypto-address', each, marked('ransom-note'))
}

function addMail(extracts: Extracts, text: string, link: string, isMarked = false): void {
  if (/^[^\s@]{1,64}@[^\s@]{1,253}$/.test(text)) addValue(extracts, 'email', text, judged(isMarked, link))
}

function addContacted(extracts: Extracts, iocs: Part): void {
  for (const each of textsOf(iocs, 'urls')) addUrl(extracts, each, seen('contacted'))
  for (const each of textsOf(iocs, 'domains')) addHost(extracts, each, seen('resolved'))
  for (const each of textsOf(iocs, 'ips')) addHost(extracts, each, seen('contacted'))
}

const techniquesOf = (signature: Part): string[] => textsOf(signature, 'ttp').flatMap((text) => techniqueIn(text) ?? [])

const attackOf = (technique_id: string): AttackReference => ({ tactic_id: null, technique_id })

function signaturesOf(found: readonly Part[]): Signature[] {
  const all = named(
    found.map((each) => ({
      name: textOf(each, 'name') ?? textOf(each, 'label'),
      description: textOf(each, 'desc'),
      severity: within(numberOf(each, 'score'), 0, 10),
      techniques: unique(techniquesOf(each)),
    })),
  )
  return [...new Map(all.map((each) => [each.name, each])).values()]
}

const processesIn = (task: Part): Process[] =>
  partsOf(task, 'processes').map((each) => ({
    pid: countOf(each, 'pid'),
    parent: countOf(each, 'ppid'),
    name: nameIn(textOf(each, 'image')) ?? textsOf(each, 'cmd')[0] ?? 'unnamed',
    command_line: textsOf(each, 'cmd').join(' ') || null,
  }))

const nameIn = (path: string | null): string | null => path?.split(/[\\/]/).at(-1) || path

function contactsIn(network: Part): NetworkContact[] {
  const requests = partsOf(network, 'requests').flatMap((each): NetworkContact[] => {
    const url = textOf(partOf(each, 'http_request'), 'url')
    const parsed = url === null ? null : URL.parse(url)
    return [
      ...(url === null ? [] : [contactOf('http', { host: parsed?.hostname ?? null, url })]),
      ...textsOf(partOf(each, 'dns_request'), 'domains').map((host) => contactOf('dns', { host })),
    ]
  })
  const flows = partsOf(network, 'flows').map((each) => {
    const target = textOf(each, 'dst') ?? ''
    const colon = target.lastIndexOf(':')
    const port = target.slice(colon + 1)
    const hasPort = colon > 0 && /^\d{1,5}$/.test(port)
    return contactOf(textOf(each, 'proto') ?? 'unknown', {
      host: textOf(each, 'domain') ?? textOf(each, 'tls_sni'),
      address: (hasPort ? target.slice(0, colon) : target) || null,
      port: hasPort ? Number(port) : null,
    })
  })
  return [...requests, ...flows]
}

/** Files that were written; memory that was dumped is none. */
const droppedIn = (task: Part): DroppedFile[] =>
  partsOf(task, 'dumped').flatMap((each): DroppedFile[] => {
    const name = textOf(each, 'path') ?? textOf(each, 'name')
    if (name === null || textOf(each, 'kind') === 'region' || textOf(each, 'kind') === 'mapping') return []
    return [{ name, size: countOf(each, 'length'), ...digestsOf(each) }]
  })
