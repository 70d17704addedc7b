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
import {
  countOf,
  digestOf,
  has,
  memberOf,
  numberOf,
  type Part,
  partOf,
  partsOf,
  textOf,
  textsOf,
  unreadable,
} from '../document.ts'
import { addFile, addHost, addUrl, type Extracts, judged, noExtracts } from '../extracts.ts'
import { contactOf, named, processNodes, techniqueIn, unique, within } from '../report-parts.ts'
import { addConfigurations } from './configurations.ts'

/**
 * Reads a report of Joe Sandbox. Verdict and score are those of the information about the analysis. The report was XML: its attributes
 * are members, in some versions with an @ before their name.
 */
export function reportOf(info: Part, document: Part, content: Buffer): Report {
  if (!has(document, 'analysis')) throw unreadable('is not a report of Joe Sandbox')
  const analysis = partOf(document, 'analysis')
  const general = partOf(analysis, 'generalinfo')
  const dropped = partsOf(partOf(analysis, 'droppedinfo'), 'hash').map(droppedOf)
  const extracts = noExtracts()
  const configured = addConfigurations(extracts, analysis)
  addContacted(extracts, analysis)
  for (const { file, isMalicious } of dropped) addFile(extracts, file, judged(isMalicious, 'dropped'))
  const threat = textOf(info, 'threatname')
  return composeReport({
    verdict: verdictOf(textOf(info, 'detection'), partOf(analysis, 'detection')),
    score: within(numberOf(info, 'score') ?? numberOf(partOf(analysis, 'detection'), 'score'), 0, 100),
    families: [...(known(threat)?.split(/\s{0,5},\s{0,5}/) ?? []), ...configured],
    tags: textsOf(info, 'tags'),
    environment: environmentOf(info, general),
    started_at: textOf(info, 'time'),
    ended_at: null,
    engine_version: attribute(general, 'version'),
    extracts,
    attacks: attacksIn(analysis),
    processes: processesIn(analysis),
    network: contactsIn(analysis),
    signatures: signaturesIn(analysis),
    dropped_files: dropped.map(({ file }) => file),
    raw: { filename: 'joe-report.json', content },
    // They come in an archive only.
    screenshots: [],
    documents: [info, document],
  })
}

/** An attribute of what was an element of XML. */
const attribute = (part: Part, name: string): string | null => textOf(part, `@${name}`) ?? plain(part, name)

const plain = (part: Part, name: string): string | null =>
  typeof memberOf(part, name) === 'object' ? null : textOf(part, name)

const isMarked = (part: Part): boolean =>
  [memberOf(part, '@malicious'), memberOf(part, 'malicious')].some((value) => value === true || value === 'true')

const VERDICTS: readonly Verdict[] = ['malicious', 'suspicious', 'clean']

function verdictOf(detection: string | null, incident: Part): Verdict {
  return VERDICTS.find((verdict) => verdict === detection || memberOf(incident, verdict) === true) ?? 'unknown'
}

function environmentOf(info: Part, general: Part): string | null {
  const systems = unique(partsOf(info, 'runs').flatMap((run) => textOf(run, 'system') ?? []))
  return systems.length > 0 ? systems.join(', ') : attribute(general, 'systemdescription')
}

function addContacted(extracts: Extracts, analysis: Part): void {
  for (const each of partsOf(partOf(analysis, 'domaininfo'), 'domain'))
    addHost(extracts, attribute(each, 'name'), judged(isMarked(each), 'resolved'))
  for (const each of partsOf(partOf(analysis, 'ipinfo'), 'ip'))
    addHost(extracts, attribute(each, 'ip'), judged(isMarked(each), 'contacted'))
  for (const each of partsOf(partOf(analysis, 'urlinfo'), 'url')) {
    // URLs in memory were not necessarily called.
    const isFound = attribute(each, 'fromMemory') === 'true'
    addUrl(extracts, attribute(each, 'name'), judged(isMarked(each), isFound ? 'contained' : 'contacted'))
  }
  // Incident reports have these lists instead.
  const contacted = partOf(analysis, 'contacted')
  for (const each of partsOf(partOf(contacted, 'domains'), 'domain'))
    addHost(extracts, attribute(each, 'name'), judged(isMarked(each), 'resolved'))
  for (const each of partsOf(partOf(contacted, 'ips'), 'ip'))
    addHost(extracts, textOf(each, '$'), judged(isMarked(each), 'contacted'))
}

function droppedOf(hash: Part): { readonly file: DroppedFile; readonly isMalicious: boolean } {
  const byName = new Map(partsOf(hash, 'value').map((each) => [attribute(each, 'algo')?.toUpperCase(), each]))
  const digest = (name: string, length: 32 | 40 | 64) => {
    const part = byName.get(name)
    return part ? digestOf(part, '$', length) : null
  }
  const file = {
    name: attribute(hash, 'file') ?? attribute(hash, 'dump') ?? 'unnamed',
    size: countOf(hash, '@size') ?? countOf(hash, 'size'),
    md5: digest('MD5', 32),
    sha1: digest('SHA-1', 40) ?? digest('SHA1', 40),
    sha256: digest('SHA-256', 64) ?? digestOf(hash, '@value', 64),
  }
  return { file, isMalicious: isMarked(hash) }
}

const attacksIn = (analysis: Part): AttackReference[] =>
  partsOf(partOf(analysis, 'mitreattack'), 'tactic').flatMap((tactic) =>
    partsOf(tactic, 'technique').flatMap((each): AttackReference[] => {
      const technique_id = techniqueIn(attribute(each, 'id') ?? '')
      const tactic_id = /^TA\d{4}$/.exec(attribute(tactic, 'id') ?? '')?.[0] ?? null
      return technique_id === undefined ? [] : [{ tactic_id, technique_id }]
    }),
  )

/** Signatures have an impact from 0 to 5. */
const signaturesIn = (analysis: Part): Signature[] =>
  named(
    partsOf(partOf(analysis, 'signatureinfo'), 'sig').map((each) => {
      const impact = numberOf(each, '@impact') ?? numberOf(each, 'impact')
      return {
        name: attribute(each, 'desc') ?? attribute(each, 'name'),
        description: null,
        severity: impact === null ? null : within(impact * 2, 0, 10),
        techniques: [],
      }
    }),
  )

function processesIn(analysis: Part): Process[] {
  const overview = partOf(partOf(partOf(analysis, 'behavior'), 'system'), 'startupoverview')
  const pidOf = (node: Part) => countOf(node, '@pid') ?? countOf(node, 'pid')
  return processNodes(partsOf(overview, 'process'), 'process').map(({ node, parent }) => ({
    pid: pidOf(node),
    parent: parent && pidOf(parent),
    name: attribute(node, 'name') ?? 'unnamed',
    command_line: attribute(node, 'cmdline'),
  }))
}

function contactsIn(analysis: Part): NetworkContact[] {
  const names = partsOf(partOf(analysis, 'domaininfo'), 'domain').map((each) =>
    contactOf('dns', { host: attribute(each, 'name'), address: known(attribute(each, 'ip')) }),
  )
  const addresses = partsOf(partOf(analysis, 'ipinfo'), 'ip').map((each) =>
    contactOf('ip', { host: known(attribute(each, 'domain')), address: attribute(each, 'ip') }),
  )
  const urls = partsOf(partOf(analysis, 'urlinfo'), 'url').flatMap((each) => {
    const url = attribute(each, 'name')
    if (url === null || attribute(each, 'fromMemory') === 'true') return []
    const host = URL.parse(url)?.hostname ?? null
    return [contactOf('http', { host, address: known(attribute(each, 'ip')), url })]
  })
  return [...urls, ...names, ...addresses]
}

const known = (text: string | null): string | null => (text === null || /^unknown$/i.test(text) ? null : text)
