import type {
  AttackReference,
  DroppedFile,
  NetworkContact,
  Process,
  Report,
  Signature,
  Verdict,
} from '../../adapter.ts'
import { composeReport } from '../compose-report.ts'
import { countOf, digestsOf, has, numberOf, type Part, partsOf, textOf, textsOf, unreadable } from '../document.ts'
import { addFile, addHost, addUrl, type Extracts, judged, marked, noExtracts, seen } from '../extracts.ts'
import { contactOf, entryOf, named, techniqueIn, within } from '../report-parts.ts'

/** Reads the summary of a report. The verdict is the vendor's own; its threat score is from 0 to 100. */
export function reportOf(document: Part, content: Buffer): Report {
  if (!has(document, 'verdict') && !has(document, 'threat_score') && !has(document, 'job_id'))
    throw unreadable('is not a report of Hybrid Analysis')
  const dropped = partsOf(document, 'extracted_files').map(droppedOf)
  const extracts = seenIn(document, dropped)
  const family = textOf(document, 'vx_family')
  return composeReport({
    verdict: entryOf(VERDICTS, textOf(document, 'verdict')) ?? 'unknown',
    score: within(numberOf(document, 'threat_score'), 0, 100),
    families: family === null ? [] : [family],
    tags: [
      ...textsOf(document, 'classification_tags'),
      ...textsOf(document, 'tags'),
      ...textsOf(document, 'type_short'),
    ],
    environment: textOf(document, 'environment_description'),
    started_at: textOf(document, 'analysis_start_time'),
    ended_at: null,
    engine_version: null,
    extracts,
    attacks: attacksIn(document),
    processes: processesIn(document),
    network: contactsIn(document),
    signatures: signaturesIn(document),
    dropped_files: dropped.map(({ file }) => file),
    raw: { filename: 'hybrid-analysis-report.json', content },
    // They come within JSON only.
    screenshots: [],
    documents: [document],
  })
}

const VERDICTS: Readonly<Record<string, Verdict>> = {
  malicious: 'malicious',
  suspicious: 'suspicious',
  'no specific threat': 'clean',
  whitelisted: 'clean',
}

interface Dropped {
  readonly file: DroppedFile
  readonly isMalicious: boolean
}

function seenIn(document: Part, dropped: readonly Dropped[]): Extracts {
  const extracts = noExtracts()
  // Hosts that the service knows to be malicious.
  for (const each of textsOf(document, 'compromised_hosts')) addHost(extracts, each, marked('contacted'))
  for (const each of textsOf(document, 'hosts')) addHost(extracts, each, seen('contacted'))
  for (const each of textsOf(document, 'domains')) addHost(extracts, each, seen('resolved'))
  addUrl(extracts, textOf(document, 'target_url'), seen('analysed'))
  for (const { file, isMalicious } of dropped) addFile(extracts, file, judged(isMalicious, 'dropped'))
  return extracts
}

/** Files have the levels 0, no threat, 1, suspicious, and 2, malicious. */
const droppedOf = (file: Part): Dropped => ({
  file: {
    name: textOf(file, 'file_path') ?? textOf(file, 'name') ?? 'unnamed',
    size: countOf(file, 'file_size') ?? countOf(file, 'size'),
    ...digestsOf(file),
  },
  isMalicious: countOf(file, 'threat_level') === 2,
})

const TACTICS: Readonly<Record<string, string>> = {
  Reconnaissance: 'TA0043',
  'Resource Development': 'TA0042',
  'Initial Access': 'TA0001',
  Execution: 'TA0002',
  Persistence: 'TA0003',
  'Privilege Escalation': 'TA0004',
  'Defense Evasion': 'TA0005',
  'Credential Access': 'TA0006',
  Discovery: 'TA0007',
  'Lateral Movement': 'TA0008',
  Collection: 'TA0009',
  'Command and Control': 'TA0011',
  Exfiltration: 'TA0010',
  Impact: 'TA0040',
}

/** Techniques with at least one suspicious indicator: every program asks for the time or loads a library. */
const attacksIn = (document: Part): AttackReference[] =>
  partsOf(document, 'mitre_attcks').flatMap((each): AttackReference[] => {
    const technique_id = techniqueIn(textOf(each, 'attck_id') ?? '')
    const isNotable =
      (countOf(each, 'malicious_identifiers_count') ?? 0) + (countOf(each, 'suspicious_identifiers_count') ?? 0) > 0
    const tactic_id = entryOf(TACTICS, textOf(each, 'tactic')) ?? null
    return technique_id === undefined || !isNotable ? [] : [{ tactic_id, technique_id }]
  })

/** Processes refer to each other by ids that are none of the system; those of the system are not in all reports. */
function processesIn(document: Part): Process[] {
  const all = partsOf(document, 'processes')
  const pids = new Map(all.map((each) => [textOf(each, 'uid'), countOf(each, 'pid')]))
  return all.map((each) => ({
    pid: countOf(each, 'pid'),
    parent: pids.get(textOf(each, 'parentuid')) ?? null,
    name: textOf(each, 'name') ?? 'unnamed',
    command_line: textOf(each, 'command_line'),
  }))
}

const contactsIn = (document: Part): NetworkContact[] => [
  ...textsOf(document, 'domains').map((host) => contactOf('dns', { host })),
  ...textsOf(document, 'hosts').map((address) => contactOf('ip', { address })),
]

/** Signatures have the levels 0, informative, 1, suspicious, and 2, malicious. */
const SEVERITIES = [1, 5, 9]

const signaturesIn = (document: Part): Signature[] =>
  named(
    partsOf(document, 'signatures').map((each) => {
      const technique = techniqueIn(textOf(each, 'attck_id') ?? '')
      return {
        name: textOf(each, 'name'),
        description: textOf(each, 'description'),
        severity: SEVERITIES[countOf(each, 'threat_level') ?? -1] ?? null,
        techniques: technique === undefined ? [] : [technique],
      }
    }),
  )
