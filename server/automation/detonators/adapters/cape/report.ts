import type { DroppedFile, NetworkContact, Process, Report, Signature, VendorRequest, Verdict } from '../../adapter.ts'
import { composeReport } from '../compose-report.ts'
import {
  countOf,
  digestsOf,
  has,
  numberOf,
  type Part,
  partOf,
  partsOf,
  textOf,
  textsOf,
  unreadable,
} from '../document.ts'
import { addFile, addHost, addUrl, addValue, type Extracts, judged, noExtracts, seen } from '../extracts.ts'
import { contactOf, entryOf, named, processNodes, scoreOutOfTen, techniqueIn, unique, within } from '../report-parts.ts'
import { addConfigurations } from './configurations.ts'

/** Without a list in the report, these are asked for. Beyond the last one, CAPE answers with JSON, which is no picture. */
const SCREENSHOTS = ['1', '2', '3']

/**
 * Reads `report.json` of CAPEv2. The verdict is `malstatus`; reports of older versions have only `malscore`, from 0 to 10: malicious from
 * 7, suspicious from 4, and below nothing is known.
 */
export function reportOf(document: Part, content: Buffer, screenshot: (number: string) => VendorRequest): Report {
  const info = partOf(document, 'info')
  const score = numberOf(document, 'malscore')
  // Every report has them; without both, this is another document.
  if (score === null && textOf(info, 'id') === null) throw unreadable('is not a report of CAPE')
  const extracts = noExtracts()
  const configured = addConfigurations(extracts, document)
  const dropped = droppedFiles(document, 'dropped')
  addSeen(extracts, document, dropped)
  return composeReport({
    verdict: verdictOf(textOf(document, 'malstatus'), score),
    score: scoreOutOfTen(score),
    families: [...familiesOf(document), ...configured],
    tags: partsOf(document, 'signatures').flatMap((each) => textsOf(each, 'categories')),
    environment: environmentOf(info),
    started_at: textOf(info, 'started'),
    ended_at: textOf(info, 'ended'),
    engine_version: textOf(info, 'version'),
    extracts,
    attacks: attackIds(document).map(([, technique_id]) => ({ tactic_id: null, technique_id })),
    processes: processesIn(document),
    network: contactsIn(partOf(document, 'network')),
    signatures: signaturesIn(document),
    dropped_files: dropped,
    raw: { filename: 'cape-report.json', content },
    screenshots: screenshotsIn(document).map((number) => ({
      filename: `screenshot-${number}.jpg`,
      request: screenshot(number),
    })),
    documents: [document],
  })
}

function screenshotsIn(document: Part): readonly string[] {
  if (!has(document, 'deduplicated_shots')) return SCREENSHOTS
  return unique(textsOf(document, 'deduplicated_shots').flatMap((name) => /^\d{1,4}(?=\.|$)/.exec(name)?.[0] ?? []))
}

const STATUSES: Readonly<Record<string, Verdict>> = { Malicious: 'malicious', Suspicious: 'suspicious', Clean: 'clean' }

function verdictOf(status: string | null, score: number | null): Verdict {
  if (status !== null) return entryOf(STATUSES, status) ?? 'unknown'
  return score === null || score < 4 ? 'unknown' : score < 7 ? 'suspicious' : 'malicious'
}

const familiesOf = (document: Part): string[] => [
  ...partsOf(document, 'detections').flatMap((each) => textOf(each, 'family') ?? []),
  ...(textOf(document, 'malfamily') === null ? [] : [textOf(document, 'malfamily') ?? '']),
]

function environmentOf(info: Part): string | null {
  const machine = partOf(info, 'machine')
  const parts = [textOf(machine, 'platform'), textOf(machine, 'label') ?? textOf(machine, 'name')]
  return parts.filter((part) => part !== null).join(', ') || null
}

function addSeen(extracts: Extracts, document: Part, dropped: readonly DroppedFile[]): void {
  const network = partOf(document, 'network')
  for (const each of partsOf(network, 'domains')) addHost(extracts, textOf(each, 'domain'), seen('resolved'))
  for (const each of partsOf(network, 'hosts')) addHost(extracts, textOf(each, 'ip'), seen('contacted'))
  for (const each of partsOf(network, 'http')) {
    addUrl(extracts, textOf(each, 'uri'), seen('contacted'))
    addValue(extracts, 'user-agent', textOf(each, 'user-agent'), seen('sent'))
  }
  // CAPE names a payload after the malware whose rule matched it.
  for (const each of partsOf(partOf(document, 'CAPE'), 'payloads'))
    addFile(extracts, fileOf(each), judged(partsOf(each, 'cape_yara').length > 0, 'unpacked'))
  for (const each of dropped) addFile(extracts, each, seen('dropped'))
  for (const mutex of textsOf(partOf(partOf(document, 'behavior'), 'summary'), 'mutexes'))
    addValue(extracts, 'mutex', mutex, seen('created'))
}

const droppedFiles = (document: Part, name: string): DroppedFile[] => partsOf(document, name).map(fileOf)

const fileOf = (file: Part): DroppedFile => ({
  name: textsOf(file, 'guest_paths')[0] ?? textsOf(file, 'name')[0] ?? 'unnamed',
  size: countOf(file, 'size'),
  ...digestsOf(file),
})

/** Techniques with the signatures that mean them: one each in older versions, a list in newer ones. */
const attackIds = (document: Part): [signature: string, technique: string][] =>
  partsOf(document, 'ttps').flatMap((each) =>
    [...textsOf(each, 'ttps'), ...textsOf(each, 'ttp')].flatMap((text): [string, string][] => {
      const technique = techniqueIn(text)
      return technique === undefined ? [] : [[textOf(each, 'signature') ?? '', technique]]
    }),
  )

/** CAPE counts 1, 2 and 3: noteworthy, suspicious, malicious. */
const SEVERITIES = [0, 2, 5, 8]

function signaturesIn(document: Part): Signature[] {
  const techniques = Map.groupBy(attackIds(document), ([signature]) => signature)
  return named(
    partsOf(document, 'signatures').map((each) => {
      const name = textOf(each, 'name')
      const severity = within(countOf(each, 'severity'), 0, 3)
      return {
        name,
        description: textOf(each, 'description'),
        severity: severity === null ? null : (SEVERITIES[severity] ?? null),
        techniques: unique((techniques.get(name ?? '') ?? []).map(([, technique]) => technique)),
      }
    }),
  )
}

function processesIn(document: Part): Process[] {
  const behavior = partOf(document, 'behavior')
  // The tree has command lines, which the list lacks.
  const found = processNodes(partsOf(behavior, 'processtree'), 'children').map(({ node }) => ({
    pid: countOf(node, 'pid'),
    parent: countOf(node, 'parent_id'),
    name: textOf(node, 'name') ?? 'unnamed',
    command_line: textOf(partOf(node, 'environ'), 'CommandLine'),
  }))
  if (found.length > 0) return found
  return partsOf(behavior, 'processes').map((each) => ({
    pid: countOf(each, 'process_id'),
    parent: countOf(each, 'parent_id'),
    name: textOf(each, 'process_name') ?? 'unnamed',
    command_line: textOf(partOf(each, 'environ'), 'CommandLine'),
  }))
}

function contactsIn(network: Part): NetworkContact[] {
  const connections = ['tcp', 'udp'].flatMap((protocol) =>
    partsOf(network, protocol).map((each) =>
      contactOf(protocol, { address: textOf(each, 'dst'), port: countOf(each, 'dport') }),
    ),
  )
  const questions = partsOf(network, 'dns').map((each) =>
    contactOf('dns', {
      host: textOf(each, 'request'),
      address: partsOf(each, 'answers').map((answer) => textOf(answer, 'data'))[0] ?? null,
    }),
  )
  const requests = partsOf(network, 'http').map((each) =>
    contactOf('http', {
      host: textOf(each, 'host'),
      address: textOf(each, 'dst'),
      port: countOf(each, 'port'),
      url: textOf(each, 'uri'),
    }),
  )
  return [...requests, ...questions, ...connections]
}
