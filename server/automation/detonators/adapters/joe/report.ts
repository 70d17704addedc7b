import type {
  AttackReference,
  DroppedFile,
  NetworkContact,
  Process,
  Report,
  Signature,
  Verdict,
} from '../../adapter.ts'
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
  warningsOf,
} from '../document.ts'
import {
  addFile,
  addHost,
  addUrl,
  type Extracts,
  extractsOf,
  leftOutOf,
  marked,
  noExtracts,
  seen,
} from '../extracts.ts'
import { attacksOf, contactsOf, processesOf, techniqueIn, timeOf, unique, within } from '../report-parts.ts'
import { addConfigurations } from './configurations.ts'

/** A tree with more processes is not followed further. */
const MAX_PROCESSES = 20_000

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
  for (const { file, isMalicious } of dropped)
    addFile(extracts, file, isMalicious ? marked('dropped') : seen('dropped'))
  const threat = textOf(info, 'threatname')
  return {
    verdict: verdictOf(textOf(info, 'detection'), partOf(analysis, 'detection')),
    score: within(numberOf(info, 'score') ?? numberOf(partOf(analysis, 'detection'), 'score'), 0, 100),
    families: unique([
      ...(threat === null || /^unknown$/i.test(threat) ? [] : threat.split(/\s{0,5},\s{0,5}/)),
      ...configured,
    ]),
    tags: unique(textsOf(info, 'tags')),
    environment: environmentOf(info, general),
    started_at: timeOf(textOf(info, 'time')),
    ended_at: null,
    engine_version: attribute(general, 'version'),
    extracts: extractsOf(extracts),
    attacks: attacksOf(attacksIn(analysis)),
    processes: processesOf(processesIn(analysis)),
    network: contactsOf(contactsIn(analysis)),
    signatures: signaturesIn(analysis),
    dropped_files: dropped.map(({ file }) => file),
    raw: { filename: 'joe-report.json', media_type: 'application/json', content },
    // They come in an archive only.
    screenshots: [],
    warnings: [...leftOutOf(extracts), ...warningsOf(info), ...warningsOf(document)],
  }
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
  const judged = (part: Part, link: string) => (isMarked(part) ? marked(link) : seen(link))
  for (const each of partsOf(partOf(analysis, 'domaininfo'), 'domain'))
    addHost(extracts, attribute(each, 'name'), judged(each, 'resolved'))
  for (const each of partsOf(partOf(analysis, 'ipinfo'), 'ip'))
    addHost(extracts, attribute(each, 'ip'), judged(each, 'contacted'))
  for (const each of partsOf(partOf(analysis, 'urlinfo'), 'url')) {
    // URLs in memory were not necessarily called.
    const isFound = attribute(each, 'fromMemory') === 'true'
    addUrl(extracts, attribute(each, 'name'), judged(each, isFound ? 'contained' : 'contacted'))
  }
  // Incident reports have these lists instead.
  const contacted = partOf(analysis, 'contacted')
  for (const each of partsOf(partOf(contacted, 'domains'), 'domain'))
    addHost(extracts, attribute(each, 'name'), judged(each, 'resolved'))
  for (const each of partsOf(partOf(contacted, 'ips'), 'ip'))
    addHost(extracts, textOf(each, '$'), judged(each, 'contacted'))
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
  partsOf(partOf(analysis, 'signatureinfo'), 'sig').flatMap((each): Signature[] => {
    const name = attribute(each, 'desc') ?? attribute(each, 'name')
    const impact = numberOf(each, '@impact') ?? numberOf(each, 'impact')
    return name === null
      ? []
      : [
          {
            name,
            description: null,
            severity: impact === null ? null : within(impact * 2, 0, 10),
            techniques: [],
          },
        ]
  })

function processesIn(analysis: Part): Process[] {
  const found: Process[] = []
  const overview = partOf(partOf(partOf(analysis, 'behavior'), 'system'), 'startupoverview')
  const waiting = partsOf(overview, 'process').map((node) => ({ node, parent: null as number | null }))
  // Children are added to what the loop goes through.
  for (const { node, parent } of waiting) {
    if (found.length === MAX_PROCESSES) break
    const pid = countOf(node, '@pid') ?? countOf(node, 'pid')
    found.push({ pid, parent, name: attribute(node, 'name') ?? 'unnamed', command_line: attribute(node, 'cmdline') })
    for (const child of partsOf(node, 'process').slice(0, MAX_PROCESSES)) waiting.push({ node: child, parent: pid })
  }
  return found
}

function contactsIn(analysis: Part): NetworkContact[] {
  const names = partsOf(partOf(analysis, 'domaininfo'), 'domain').map((each) => ({
    ...{ protocol: 'dns', host: attribute(each, 'name'), address: known(attribute(each, 'ip')), port: null, url: null },
  }))
  const addresses = partsOf(partOf(analysis, 'ipinfo'), 'ip').map((each) => ({
    ...{
      protocol: 'ip',
      host: known(attribute(each, 'domain')),
      address: attribute(each, 'ip'),
      port: null,
      url: null,
    },
  }))
  const urls = partsOf(partOf(analysis, 'urlinfo'), 'url').flatMap((each): NetworkContact[] => {
    const url = attribute(each, 'name')
    if (url === null || attribute(each, 'fromMemory') === 'true') return []
    return [
      {
        protocol: 'http',
        host: URL.parse(url)?.hostname ?? null,
        address: known(attribute(each, 'ip')),
        port: null,
        url,
      },
    ]
  })
  return [...urls, ...names, ...addresses]
}

const known = (text: string | null): string | null => (text === null || /^unknown$/i.test(text) ? null : text)
