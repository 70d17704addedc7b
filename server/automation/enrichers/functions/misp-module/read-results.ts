import { isRecord } from '../../../../domain/record.ts'
import { listOf } from '../../../../formats/json/record.ts'
import { EnricherError, type Finding, type LookUpResult, type Subject } from '../../function.ts'
import { type Collected, collectAttribute, collectObject, collectValue } from './attribute-findings.ts'
import { tagFindings } from './tag-findings.ts'

const MAX_KINDS_TOLD = 10

/** Reads the results of a module in either of their two forms. */
export function readResults(results: unknown, subject: Subject): LookUpResult {
  const collected: Collected = { findings: [], leftOut: [] }
  if (Array.isArray(results)) for (const result of results) collectLegacy(collected, result)
  else if (isRecord(results)) collectStandard(collected, results)
  else throw new EnricherError('unreadable', 'The answer of the module has no results.')
  const findings = distinct(collected.findings, subject)
  const warnings = warningsOf(collected.leftOut)
  if (findings.length + warnings.length === 0) return { state: 'EMPTY' }
  return { state: 'FOUND', findings, warnings }
}

function collectStandard(collected: Collected, results: Readonly<Record<string, unknown>>): void {
  collected.findings.push(...tagFindings(results))
  for (const attribute of listOf(results.Attribute)) collectAttribute(collected, attribute)
  for (const object of listOf(results.Object)) collectObject(collected, object)
}

/** A result such as `{"types": ["ip-src", "ip-dst"], "values": ["192.0.2.1"]}`. */
function collectLegacy(collected: Collected, result: unknown): void {
  if (!isRecord(result)) return void collected.leftOut.push('unknown')
  const types = textsIn(result.types)
  const values = Array.isArray(result.values) ? result.values : [result.values]
  for (const tag of textsIn(result.tags)) collected.findings.push({ kind: 'tag', value: tag })
  for (const value of values) {
    if (typeof value === 'string' || typeof value === 'number') collectValue(collected, types, String(value).trim())
    else if (value !== undefined && value !== null) collected.leftOut.push(types[0] ?? 'unknown')
  }
}

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string' && item !== '')

/** Without repetitions, and without the observable itself, which modules return as well. */
function distinct(findings: readonly Finding[], subject: Subject): Finding[] {
  const isSubject = (finding: Finding) =>
    finding.kind === 'link' && finding.observable.value === subject.value && finding.observable.type === subject.type
  const byText = new Map(
    findings.filter((finding) => !isSubject(finding)).map((finding) => [JSON.stringify(finding), finding]),
  )
  return [...byText.values()]
}

function warningsOf(leftOut: readonly string[]): string[] {
  if (leftOut.length === 0) return []
  const kinds = [...new Set(leftOut)].sort()
  const more = kinds.length > MAX_KINDS_TOLD ? ', …' : ''
  const told = kinds
    .slice(0, MAX_KINDS_TOLD)
    .map((kind) => kind.slice(0, 100))
    .join(', ')
  return [`${leftOut.length} values were left out, of the types ${told}${more}. The raw answer has them.`]
}
