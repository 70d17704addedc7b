import { isRecord } from '../../../domain/record.ts'
import { DocumentError } from '../../../formats/document.ts'
import type { FoundEntity } from '../../../formats/finding.ts'
import { isSigma } from '../../../formats/sigma/sigma-rule.ts'
import { findAttackIds } from '../../../formats/text/attack-ids.ts'
import { decodeBytes } from '../../../formats/text/decode-text.ts'
import { type RuleLanguage, type RuleWords, ruleWords } from './rule-words.ts'

/** The members of an entity's data that are searched for ids. */
const TEXTS = ['title', 'description', 'short_description'] as const
/** Entities about techniques themselves, whose texts compare them with other techniques. */
const ABOUT_TECHNIQUES: ReadonlySet<string> = new Set(['attack-pattern', 'course-of-action'])

const LANGUAGES: Readonly<Record<string, RuleLanguage>> = {
  sigma: 'sigma',
  snort: 'snort',
  suricata: 'snort',
  yara: 'yara',
}
const RULE_FILES: Readonly<Record<string, RuleLanguage>> = {
  yar: 'yara',
  yara: 'yara',
  rules: 'snort',
  yml: 'sigma',
  yaml: 'sigma',
}
const LARGEST_RULE_FILE = 1024 * 1024

/** A technique or tactic in the texts of an entity: its id, below its tactic if the text says so. */
export function idsInTexts({ data, attackIds = [] }: FoundEntity): string[] {
  if (ABOUT_TECHNIQUES.has(data.type)) return []
  const hits = TEXTS.flatMap((name) => {
    const text = data[name]
    return typeof text === 'string' ? findAttackIds(text) : []
  })
  return [...new Set([...hits.map(({ id, tactic }) => (tactic ? `${tactic}:${id}` : id)), ...attackIds])]
}

/** What the detection rules of an entity say, wherever it holds them. */
export function wordsInRules(entity: FoundEntity): RuleWords[] {
  const rules = new Map<string, RuleLanguage>()
  for (const [language, text] of rulesOf(entity)) rules.set(text, language)
  return [...rules].flatMap(([text, language]) => ruleWords(language, text))
}

function* rulesOf({ data, observables = [], attachments = [] }: FoundEntity): Generator<[RuleLanguage, string]> {
  const { pattern, pattern_type, test_mechanisms } = data
  const language = languageOf(pattern_type)
  if (language && typeof pattern === 'string') yield [language, pattern]
  for (const mechanism of Array.isArray(test_mechanisms) ? test_mechanisms.filter(isRecord) : []) {
    const spoken = languageOf(mechanism.test_mechanism_type)
    const rules = Array.isArray(mechanism.rules) ? mechanism.rules : []
    for (const rule of rules) if (spoken && typeof rule === 'string') yield [spoken, rule]
  }
  for (const { type, value } of observables) {
    if (type === 'yara' || type === 'snort') yield [type, value]
    else if (type === 'rule' && isSigma(value)) yield ['sigma', value]
  }
  for (const { filename, bytes } of attachments) {
    const spoken = RULE_FILES[/\.([a-z]{3,5})$/i.exec(filename)?.[1]?.toLowerCase() ?? '']
    if (!spoken || bytes.length > LARGEST_RULE_FILE) continue
    const text = textIn(bytes)
    if (spoken !== 'sigma' || isSigma(text)) yield [spoken, text]
  }
}

/** The text of a file in any encoding; empty if it has none. */
function textIn(bytes: Buffer): string {
  try {
    return decodeBytes(bytes).text
  } catch (error) {
    if (error instanceof DocumentError) return ''
    throw error
  }
}

const languageOf = (type: unknown): RuleLanguage | undefined =>
  typeof type === 'string' && Object.hasOwn(LANGUAGES, type.toLowerCase()) ? LANGUAGES[type.toLowerCase()] : undefined
