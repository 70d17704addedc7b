import { v5 } from 'uuid'
import type { Nodes } from '../../../attack/classification/nodes.ts'
import { resolveAttacks } from '../../../attack/classification/resolve.ts'
import { escapeHtml } from '../../../domain/escape-html.ts'
import { observableOf } from '../../../domain/observables/read.ts'
import { storableText } from '../../../domain/storable-text.ts'
import { parseTimestamp } from '../../../domain/timestamp.ts'
import { TLP } from '../../../domain/tlp.ts'
import type { EntityItem } from '../../../intelligence/entities/compose.ts'
import { entityData } from '../../../intelligence/entities/entity-data.ts'
import type { Maliciousness } from '../../../intelligence/entities/observables-in.ts'
import type { Adapter, ExtractedValue, Report } from '../adapter.ts'
import type { Work } from './work.ts'

/** The namespace of the ids of analyses. */
const NAMESPACE = '3f0f7a52-6d0b-5c7e-9a55-7d3c2f8b6e14'

/** An observable of the analysis and the verdict of the detonator on it. */
export interface Rated {
  readonly type: string
  readonly value: string
  readonly maliciousness: Maliciousness
}

/** What a report becomes. */
export interface ReportPlan {
  readonly report: Report
  readonly item: EntityItem
  readonly title: string
  readonly stixId: string
  readonly extracts: readonly ExtractedValue[]
  readonly attacks: readonly { readonly tactic_id: string | null; readonly technique_id: string | null }[]
  readonly rated: readonly Rated[]
  readonly warnings: readonly string[]
}

/** Turns a report into an entity with observables, at the colour with a rank. What is left out is said in warnings. */
export function planReport(work: Work, adapter: Adapter, report: Report, rank: number, nodes: Nodes): ReportPlan {
  const warnings: string[] = [...report.warnings]
  const extracts = normalised(report.extracts, warnings)
  const { known, attacks } = attacksOf(report, nodes, warnings)
  const selected = extracts.filter(({ kind }) => work.selected_extract_types.includes(kind))
  const subjects = subjectsOf(work, report)
  const rated = [...subjects, ...selected.map(ratedAs)]
  const links = [
    ...subjects.map(({ type, value }) => ({ type, value, link_type: 'sample' })),
    ...selected.map(({ kind, value, link_type }) => ({ type: kind, value, link_type })),
  ]
  const stixId = `{https://corvus.invalid/detonators}malware-analysis-${v5(`${work.source} ${rank} ${work.key}`, NAMESPACE)}`
  const title = `${adapter.title} analysis of ${work.name || (work.url ?? work.sha256 ?? '')}`.slice(0, 1000)
  const item: EntityItem = {
    data: entityData.parse(dataOf(work, adapter, report, { title, id: stixId })),
    meta: {
      tlp_color: rank === 0 ? null : (TLP[rank] ?? 'RED'),
      tags: [...report.tags],
      attacks: [...known],
    } as EntityItem['meta'],
    sources: [{ id: work.source }],
    observables: distinct(links) as EntityItem['observables'],
  }
  return { report, item, title, stixId, extracts, attacks, rated: distinct(rated), warnings }
}

function normalised(all: readonly ExtractedValue[], warnings: string[]): ExtractedValue[] {
  const faults: string[] = []
  const read = all.flatMap((extract) => {
    const found = observableOf(extract.kind, extract.value)
    if (!('fault' in found)) return [{ ...extract, kind: found.type, value: found.value }]
    faults.push(`${extract.kind.slice(0, 100)} '${extract.value.slice(0, 200)}' ${found.fault}`)
    return []
  })
  if (faults.length > 0) warnings.push(`${faults.length} observables were left out, for example: ${faults[0]}.`)
  return [...new Map(read.map((each) => [`${each.kind} ${each.value}`, each])).values()]
}

function attacksOf({ attacks }: Report, nodes: Nodes, warnings: string[]) {
  const said = attacks.map(({ tactic_id, technique_id }) => ({
    ...(technique_id !== null && { id: technique_id }),
    ...(tactic_id !== null && { tactics: [{ name: tactic_id }] }),
  }))
  const { attacks: ids, unknown, notes, losses } = resolveAttacks(nodes, said)
  warnings.push(...notes, ...losses)
  if (unknown.length > 0)
    warnings.push(
      `Attack nodes that are not in the loaded frameworks were left out: ${unknown.slice(0, 50).join(', ')}.`,
    )
  return { known: ids.filter((id) => !unknown.includes(id)), attacks }
}

/** The verdict of a sandbox on its sample. That it saw nothing does not make a sample safe. */
const LEVELS = { malicious: 'high', suspicious: 'medium', clean: 'unknown', unknown: 'unknown' } as const

function subjectsOf({ kind, url, md5, sha1, sha256 }: Work, { verdict }: Report): Rated[] {
  const maliciousness = LEVELS[verdict]
  const named =
    kind === 'url'
      ? [['uri', url]]
      : [
          ['hash-md5', md5],
          ['hash-sha1', sha1],
          ['hash-sha256', sha256],
        ]
  return named.flatMap(([type, value]) => (type && value ? [{ type, value, maliciousness }] : []))
}

const ratedAs = ({ kind, value, classification, confidence }: ExtractedValue): Rated => ({
  type: kind,
  value,
  maliciousness: levelOf(classification, confidence),
})

/** The verdict that a classification with a confidence means. */
export const levelOf = (
  classification: ExtractedValue['classification'],
  confidence: ExtractedValue['confidence'],
): Maliciousness => (classification === 'good' ? 'safe' : classification === 'bad' ? confidence : 'unknown')

const distinct = <T extends { readonly type: string; readonly value: string }>(all: readonly T[]): T[] => [
  ...new Map(all.toReversed().map((each) => [`${each.type} ${each.value}`, each])).values(),
]

const RESULTS = { malicious: 'malicious', suspicious: 'suspicious', clean: 'benign', unknown: 'unknown' } as const

function dataOf(work: Work, adapter: Adapter, report: Report, named: { readonly title: string; readonly id: string }) {
  const time = (text: string | null) => (text === null ? undefined : parseTimestamp(text))
  const { vendor_id, vendor_url, submitted_at } = work
  const lines = [
    report.score === null ? undefined : `Score: ${Math.round(report.score)} of 100.`,
    report.environment === null ? undefined : `Environment: ${report.environment.slice(0, 500)}.`,
    ...report.signatures
      .slice(0, 50)
      .map(({ name, description }) => `${name}${description === null ? '' : `: ${description.slice(0, 500)}`}`),
  ].filter((line) => line !== undefined)
  const optional = {
    analysis_engine_version: report.engine_version?.slice(0, 200),
    result_name: report.families.join(', ').slice(0, 1000) || undefined,
    submitted: submitted_at === null ? undefined : time(new Date(submitted_at).toISOString()),
    analysis_started: time(report.started_at),
    analysis_ended: time(report.ended_at),
  }
  return {
    type: 'malware-analysis',
    ...named,
    title: storableText(named.title, 1000),
    description: escapeHtml(storableText(lines.join('\n'), 50_000)).replaceAll('\n', '<br>'),
    product: adapter.title,
    result: RESULTS[report.verdict],
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    external_references: [
      {
        source_name: work.task_name,
        ...(vendor_id && { external_id: vendor_id }),
        ...(vendor_url && { url: vendor_url }),
      },
    ],
  }
}
