import { validate } from 'uuid'
import { isWebAddress } from '../../domain/web-address.ts'
import { DocumentError } from '../document.ts'
import type { Finding, FoundObservable, Reader } from '../finding.ts'
import { madeId } from '../made-id.ts'
import { decodeBytes } from '../text/decode-text.ts'
import { timeOf } from '../text/time-of.ts'
import { wholeOf } from '../text/whole.ts'
import { type SigmaRule, sigmaRules } from './sigma-rule.ts'

const MAX_BYTES = 16 * 1024 * 1024
const MAX_TAG_LENGTH = 500
const MAX_TITLE_LENGTH = 300

/** Reads Sigma rules. Each becomes an indicator, whose pattern is the rule as it was written. */
export const readSigma: Reader = async function* (document) {
  const { text, notes } = decodeBytes(await wholeOf(document, MAX_BYTES))
  let count = 0
  for (const rule of sigmaRules(text)) {
    const said = [...(count++ === 0 ? notes : []), ...faultsOf(rule)]
    yield rule.isComplete
      ? findingOf(rule, said, document.name)
      : { kind: 'lost', at: placeOf(rule), losses: ['The document has neither detection nor correlation.', ...said] }
  }
  if (count === 0) throw new DocumentError('The file contains no Sigma rule.')
}

const faultsOf = ({ fault }: SigmaRule): string[] =>
  fault === null ? [] : [`The rule is not valid YAML and was read only in part: ${fault}.`]

const placeOf = ({ line }: SigmaRule): string => `line ${line}`

function findingOf(rule: SigmaRule, notes: readonly string[], fileName: string): Finding {
  const { text, description } = rule
  const created = timeIn(rule.date)
  const timestamp = timeIn(rule.modified) ?? created
  const impact = IMPACTS.get(rule.level)
  const confidence = CONFIDENCES.get(rule.status)
  const references = rule.references.map(referenceOf)
  const tags = [...new Set(rule.tags.map((tag) => tag.slice(0, MAX_TAG_LENGTH).toWellFormed()))]
  const observables = rule.tags.flatMap(vulnerabilityIn)
  return {
    kind: 'entity',
    at: placeOf(rule),
    entity: {
      data: {
        type: 'indicator',
        id: validate(rule.id) ? `indicator--${rule.id.toLowerCase()}` : madeId('indicator', 'sigma', text),
        title: (rule.title || fileName || 'Sigma rule').slice(0, MAX_TITLE_LENGTH).toWellFormed(),
        ...(description !== '' && { description }),
        ...(timestamp !== undefined && { timestamp }),
        ...(created !== undefined && { valid_from: created }),
        ...(confidence !== undefined && { confidence }),
        ...(impact !== undefined && { likely_impact: { type: 'statement', value: impact } }),
        ...(references.length > 0 && { external_references: references }),
        ...(rule.author !== '' && {
          information_source: { type: 'information-source', identity: { type: 'identity', name: rule.author } },
        }),
        pattern: text,
        pattern_type: 'sigma',
      },
      ...(tags.length > 0 && { meta: { tags } }),
      ...(observables.length > 0 && { observables }),
    },
    ...(notes.length > 0 && { notes }),
  }
}

/** How bad it is what a rule detects. */
const IMPACTS: ReadonlyMap<string, string> = new Map([
  ['informational', 'None'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['critical', 'High'],
])

/** How far a rule can be relied on. */
const CONFIDENCES: ReadonlyMap<string, string> = new Map([
  ['stable', 'high'],
  ['test', 'medium'],
  ['experimental', 'low'],
  ['deprecated', 'none'],
  ['unsupported', 'none'],
])

const timeIn = (text: string): string | undefined => timeOf(text.replaceAll('/', '-'))

function referenceOf(text: string): object {
  if (!isWebAddress(text)) return { source_name: 'reference', description: text }
  return { source_name: new URL(text).hostname, url: text }
}

/** The vulnerability that a tag such as `cve.2021-44228` names. */
function vulnerabilityIn(tag: string): FoundObservable[] {
  const [, year, number] = /^cve[.-](\d{4})[.-](\d{4,19})$/i.exec(tag.trim()) ?? []
  return year ? [{ type: 'cve', value: `CVE-${year}-${number}` }] : []
}
